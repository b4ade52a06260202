#!/usr/bin/python3
"""The machine at the far end of a line, as a kernel that is recorded sees it: behind a TUN device of this network stands no kernel but this
program, which answers UDP and TCP, IPv4 and IPv6. It takes PAUSE_MS for an answer, which comes in two packets PAUSE_MS apart.

usage: far.py DEVICE PAUSE_MS; says "ready", and plays every address but the device's own until it is ended
"""
import fcntl
import os
import struct
import subprocess
import sys
import time

TUNSETIFF, IFF_TUN, IFF_NAPI, IFF_NO_PI = 0x400454ca, 1, 0x10, 0x1000
TCP, UDP = 6, 17
FIN, SYN, PUSH, ACK = 1, 2, 8, 16
FIRST = 1000  # the first sequence number
ADDRESSES = ('10.213.8.1/24', 'fd13:8::1/64')


def open_device(name):
    fd = os.open('/dev/net/tun', os.O_RDWR)
    fcntl.ioctl(fd, TUNSETIFF, struct.pack('16sH', name.encode(), IFF_TUN | IFF_NAPI | IFF_NO_PI))
    for address in ADDRESSES:
        subprocess.run(['ip', 'address', 'add', address, 'dev', name, *(['nodad'] if ':' in address else [])], check=True)
    subprocess.run(['ip', 'link', 'set', name, 'up'], check=True)
    return fd


def checksum(data):
    data += b'\0' * (len(data) % 2)
    total = sum(struct.unpack(f'!{len(data) // 2}H', data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


class Packet:
    """The network's header and what is in it; answer() has the ends exchanged."""

    def __init__(self, data):
        self.v6 = data[0] >> 4 == 6
        if self.v6:
            self.protocol, self.ends, self.body = data[6], (data[8:24], data[24:40]), data[40:]
        else:
            self.protocol, self.ends, self.body = data[9], (data[12:16], data[16:20]), data[(data[0] & 15) * 4:]

    def answer(self, body, at):
        """`body` with its checksum put in at that place, in a packet back."""
        there, here = self.ends
        pseudo = here + there + struct.pack('!II', len(body), self.protocol)
        body = body[:at] + struct.pack('!H', checksum(pseudo + body) or 0xffff) + body[at + 2:]
        if self.v6:
            return struct.pack('!IHBB', 6 << 28, len(body), self.protocol, 64) + here + there + body
        head = struct.pack('!BBHHHBBH', 0x45, 0, 20 + len(body), 0, 0, 64, self.protocol, 0) + here + there
        return head[:10] + struct.pack('!H', checksum(head)) + head[12:] + body


def halves(data):
    return data[:len(data) // 2], data[len(data) // 2:]


def answer_udp(packet, write, pause):
    source, port = struct.unpack('!HH', packet.body[:4])
    for part in halves(packet.body[8:]):
        time.sleep(pause)
        write(packet.answer(struct.pack('!HHHH', port, source, 8 + len(part), 0) + part, 6))


def answer_tcp(packet, write, pause, sent):
    """`sent` counts the bytes that went each way back."""
    source, port, sequence, _, offset, flags = struct.unpack('!HHIIBB', packet.body[:14])
    data, line = packet.body[(offset >> 4) * 4:], (packet.ends, source, port)

    def send(flags, part=b''):
        head = struct.pack('!HHIIBBHHH', port, source, sent[line], (sequence + len(data) + extra) & 0xffffffff, 5 << 4, flags, 65535, 0, 0)
        sent[line] += len(part) + (1 if flags & (SYN | FIN) else 0)
        write(packet.answer(head + part, 16))

    extra = 1 if flags & (SYN | FIN) else 0
    if flags & SYN:
        sent[line] = FIRST
        time.sleep(pause)
        send(SYN | ACK)
    elif flags & FIN:
        send(FIN | ACK)
    elif data and line in sent:
        for part in halves(data):
            time.sleep(pause)
            send(PUSH | ACK, part)


def main():
    fd, pause, sent = open_device(sys.argv[1]), float(sys.argv[2]) / 1000, {}
    print('ready', flush=True)
    while True:
        packet = Packet(os.read(fd, 65536))
        if packet.protocol == UDP:
            answer_udp(packet, lambda data: os.write(fd, data), pause)
        elif packet.protocol == TCP:
            answer_tcp(packet, lambda data: os.write(fd, data), pause, sent)


if __name__ == '__main__':
    main()
