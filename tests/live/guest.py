"""Debian 12's own kernel under an emulator: programs of this machine run there as root, on a disk of their own.

usage: guest.py FOLDER: only fetches the kernel's package into the folder
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from tap import retried  # noqa: E402

NEEDED = ('qemu-system-x86_64', 'busybox', 'cpio', 'modprobe', 'depmod', 'mkfs.ext4', 'debugfs', 'dpkg-deb', 'dmsetup', 'mdadm')
MODULES = ('crc32c_generic', 'virtio_pci', 'virtio_blk', 'virtio_net', 'ext4', 'loop', 'dm_mod', 'raid1')
PARTS = ('./boot/vmlinuz*', './lib/modules/*/modules.*', '*/fs/ext4', '*/fs/jbd2', '*/fs/mbcache.ko', '*/kernel/lib', '*/kernel/crypto',
         '*/drivers/virtio', '*/drivers/block', '*/drivers/md', '*/drivers/dax', '*/drivers/net/virtio_net.ko',
         '*/drivers/net/net_failover.ko', '*/net/core')
INIT = '''#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin HOME=/mnt
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev; mount -t tmpfs tmp /tmp
mount -t tracefs tracefs /sys/kernel/tracing
for module in $(cat /modules); do insmod $module; done
ip link set lo up
echo 0 >/proc/sys/net/ipv6/conf/eth0/accept_dad; ip link set eth0 up
ip addr add 10.0.2.15/24 dev eth0; ip -6 addr add fec0::15/64 dev eth0
mount -t ext4 /dev/vda /mnt
cd /mnt
. /script >log 2>&1
cd /
umount /mnt; sync
poweroff -f
'''


class Absent(Exception):
    """What a guest needs cannot be had."""


def run(*command, **options):
    try:
        return subprocess.run(command, check=True, capture_output=True, **options).stdout
    except subprocess.CalledProcessError as error:
        raise Absent(f"{' '.join(command)}: {error.stderr.decode(errors='replace').strip()}") from error


def version(name):
    return [int(n) for n in re.findall(r'\d+', name)]


def newest_image():
    names = run('apt-cache', '--names-only', 'search', r'^linux-image-6\.1\.0-[0-9]+-amd64$').decode().split('\n')
    names = sorted((name.split(' ')[0] for name in names if name), key=version)
    if not names:
        raise Absent('no package linux-image-6.1.0-*-amd64: apt-get update, or add Debian 12 to its sources')
    return names[-1]


def download(folder):
    command = ('apt-get', '-o', 'APT::Sandbox::User=root', 'download')
    try:
        run(*command, newest_image(), cwd=folder)
    except Absent:  # the lists may be of yesterday
        run('apt-get', 'update')
        run(*command, newest_image(), cwd=folder)


def fetch(cache):
    """The kernel's package, unpacked into the cache as far as it is needed here, once. Returns the unpacked folder."""
    root = f"{cache}/kernel-{zlib.crc32(' '.join(PARTS).encode()):08x}"
    if os.path.isdir(root):
        return root
    shutil.rmtree(f'{root}.new', ignore_errors=True)
    os.makedirs(f'{root}.new', exist_ok=True)
    if not glob.glob(f'{cache}/linux-image-*.deb'):
        download(cache)
    package = max(glob.glob(f'{cache}/linux-image-*.deb'), key=version)
    run('sh', '-c', 'package=$0 root=$1; shift; dpkg-deb --fsys-tarfile "$package" | tar -x -C "$root" --wildcards "$@"', package,
        f'{root}.new', *PARTS)
    release = os.listdir(f'{root}.new/lib/modules')[0]
    run('depmod', '-b', f'{root}.new', release)
    os.rename(f'{root}.new', root)
    return root


def modules_of(kernel):
    """Paths of the modules' files, in the order in which they are to be loaded."""
    release, paths = os.listdir(f'{kernel}/lib/modules')[0], []
    for module in MODULES:
        lines = run('modprobe', '-d', kernel, '-S', release, '--show-depends', module).decode().split('\n')
        paths += [line.split()[1] for line in lines if line.startswith('insmod ')]
    return list(dict.fromkeys(paths))


def libraries(program):
    """What it is linked with, where that is no static program."""
    done = subprocess.run(['ldd', program], capture_output=True, text=True)
    return re.findall(r'(?:=> |^\s*)(/\S+) \(0x', done.stdout, re.MULTILINE)


class Guest:
    """A kernel, with the programs in its /bin. Needs what NEEDED lists; raises Absent."""

    def __init__(self, cache, folder, programs):
        lacking = [name for name in NEEDED if not shutil.which(name)]
        if lacking:
            raise Absent(f"not installed: {', '.join(lacking)}")
        os.makedirs(cache, exist_ok=True)
        cache = os.path.abspath(cache)
        self.kernel, self.folder, self.root = fetch(cache), folder, f'{folder}/root'
        for name in ('bin', 'dev', 'etc', 'mnt', 'proc', 'run', 'sys', 'tmp', 'modules.d'):
            os.makedirs(f'{self.root}/{name}')
        for program in [shutil.which('busybox'), *programs]:
            shutil.copy(program, f'{self.root}/bin')
            for library in libraries(program):
                os.makedirs(self.root + os.path.dirname(library), exist_ok=True)
                shutil.copy(library, self.root + library)
        paths = modules_of(self.kernel)
        for path in paths:
            shutil.copy(path, f'{self.root}/modules.d')
        self.write('modules', '\n'.join(f'/modules.d/{os.path.basename(path)}' for path in paths))
        self.write('etc/passwd', 'root:x:0:0::/mnt:/bin/sh\nsomebody:x:1000:1000::/tmp:/bin/sh\n')
        self.write('init', INIT)
        os.chmod(f'{self.root}/init', 0o755)

    def write(self, name, text):
        with open(f'{self.root}/{name}', 'w', encoding='utf-8') as file:
            file.write(text)

    def boot(self, script):
        """Runs the script in the guest; what it printed is in its file `log`. Returns what the console showed. An emulated machine that hangs, which
        is rare, is started once more."""
        self.write('script', script)
        try:
            return self._boot()
        except subprocess.TimeoutExpired as hung:
            retried(f'the guest hung: {(hung.stdout or b"").decode(errors="replace")[-150:]} {self.text("log")[-150:]}')
            return self._boot()

    def _boot(self, seconds=150):
        disk, initrd = f'{self.folder}/disk.img', f'{self.folder}/initrd'
        run('sh', '-c', 'find . | cpio -o -H newc >"$0"', initrd, cwd=self.root)
        run('truncate', '-s', '256M', disk)
        run('mkfs.ext4', '-q', '-F', disk)
        done = subprocess.run(['qemu-system-x86_64', '-accel', 'tcg', '-cpu', 'max,+invtsc', '-smp', '2', '-m', '1024', '-nographic',
                               '-no-reboot', '-kernel', glob.glob(f'{self.kernel}/boot/vmlinuz*')[0], '-initrd', initrd,
                               '-drive', f'file={disk},format=raw,if=virtio', '-nic', 'user,model=virtio-net-pci',
                               '-append', 'console=ttyS0 panic=-1 quiet tsc=reliable'], capture_output=True, timeout=seconds, check=False,
                              stdin=subprocess.DEVNULL)
        return done.stdout.decode(errors='replace')

    def file(self, name):
        """A file of the guest's disk, copied here; None where there is none."""
        path = f'{self.folder}/{name}'
        run('debugfs', '-R', f'dump /{name} {path}', f'{self.folder}/disk.img')
        return path if os.path.getsize(path) else None

    def text(self, name):
        path = self.file(name)
        if path is None:
            return ''
        with open(path, encoding='utf-8', errors='replace') as file:
            return file.read()


if __name__ == '__main__':
    try:
        os.makedirs(sys.argv[1], exist_ok=True)
        fetch(os.path.abspath(sys.argv[1]))
    except Absent as error:
        sys.exit(f'guest.py: {error}')
