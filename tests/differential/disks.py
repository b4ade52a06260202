"""Requests of block devices, one object each, found by looking through what is on its way."""

OLD = 1_000_000_000  # what completes so early may have been on its way before the recording


class Request:
    """Spans of time in the queue and with the device, the last of which may be open."""

    def __init__(self, dev, first, end, queued, askers):
        self.dev, self.first, self.end, self.undone = dev, first, end, first
        self.queue, self.device = [[queued, None]], []
        self.askers = list(askers)
        self.completed = None
        self.issuer = None  # the thread that gave it to the device

    @property
    def active(self):
        return bool(self.device) and self.device[-1][1] is None

    @property
    def issued(self):
        return self.device[-1][0] if self.device else None

    def start(self, time, tid=None):
        self.queue[-1][1] = time
        self.device.append([time, None])
        self.issuer = tid

    def come_back(self, time, tid, in_interrupt):
        if tid == self.issuer and not in_interrupt:  # refused within the call that issued it: as if it had stayed in the queue
            self.device.pop()
            self.queue[-1][1] = None
        else:
            self.device[-1][1] = time
            self.queue.append([time, None])

    def finish(self, time):
        if not self.active:  # taken as issued right after it was queued
            self.start(self.queue[-1][0])
        self.completed = self.device[-1][1] = max(time, self.issued)

    def absorb(self, time):
        self.completed = self.queue[-1][1] = time


class Bio:
    def __init__(self, time, tid, sectors=0):
        self.time, self.tid, self.sectors = time, tid, sectors


class Device:
    def __init__(self):
        self.bios = {}         # sector: who asked last for what begins there, as long as it is in no request
        self.requests = []     # those that are queued or active
        self.want_flush = []   # bios that wait for the next flush
        self.flushes = []      # flushes that are active, oldest first
        self.flushes_back = [] # … and those that came back


class Disks:
    def __init__(self):
        self.all, self.devices = [], {}
        self.lost = False  # whether events were lost until now
        self.asked = {}  # tid: the requests that it waits for or waited for, in the order of its asking

    def of(self, dev):
        return self.devices.setdefault(dev, Device())

    def ask(self, request, tid):
        if tid > 0:
            self.asked.setdefault(tid, []).append(request)
            request.askers.append(tid)

    def forget_thread(self, tid):
        self.asked.pop(tid, None)

    def make(self, dev, first, sectors, queued, tids):
        request = Request(dev, first, first + sectors, queued, [])
        self.all.append(request)
        for tid in tids:
            self.ask(request, tid)
        return request

    def make_here(self, dev, sector, sectors, tid, time):
        """A request for what begins there: asked for by whoever asked for the bio, else by whoever is seen with it now."""
        device = self.of(dev)
        bio = device.bios.pop(sector, Bio(time, tid))
        request = self.make(dev, sector, sectors, bio.time, [bio.tid])
        device.requests.append(request)
        if bio.sectors < sectors:
            self.join_unseen(request, sector, bio.sectors, time)
        return request

    def join_unseen(self, request, known, known_sectors, time):
        """It is longer than what was seen to join it: what lies there joined it unseen."""
        device, at = self.of(request.dev), request.first
        while at < request.end:
            other = self.at(request.dev, at)
            if at == known and known_sectors:
                sectors = known_sectors
            elif other is not None and other is not request and not other.active:
                sectors = other.end - other.first
                self.absorb(other, request, time)
            else:
                bio = device.bios.pop(at, Bio(time, 0))
                sectors = bio.sectors
                self.ask(request, bio.tid)
            if not sectors:
                return
            at += sectors

    def absorb(self, gone, other, time):
        gone.absorb(time)
        self.of(gone.dev).requests.remove(gone)
        for tid in reversed(gone.askers if other else ()):
            self.ask(other, tid)

    def grow(self, request, sector, sectors, time):
        known, known_sectors = request.first, request.end - request.first
        request.first, request.end, request.undone = sector, sector + sectors, sector
        self.join_unseen(request, known, known_sectors, time)

    def at(self, dev, sector):
        return next((r for r in self.of(dev).requests if r.undone == sector), None)

    def queued_until(self, dev, sector):
        return next((r for r in reversed(self.of(dev).requests) if not r.active and r.end == sector), None)

    # --- bios

    def bio_queue(self, dev, sector, sectors, rwbs, tid, time):
        if rwbs.startswith('F'):
            for flush in [f for f in self.of(dev).flushes if tid > 0 and tid in f.askers]:  # who asks again has it behind him
                self.end(flush, time)
            self.of(dev).want_flush.append(Bio(time, tid))
        if sectors:
            self.of(dev).bios[sector] = Bio(time, tid, sectors)

    def split(self, dev, sector, at):
        bios = self.of(dev).bios
        if sector in bios and at != sector:
            rest = max(0, bios[sector].sectors - (at - sector))
            bios[at] = Bio(bios[sector].time, bios[sector].tid, rest)
            bios[sector].sectors -= rest

    def merge_bio(self, dev, sector, sectors, tid):
        device = self.of(dev)
        tid = device.bios.pop(sector, Bio(None, tid)).tid
        before, behind = self.queued_until(dev, sector), self.at(dev, sector + sectors)
        if before is not None:
            before.end += sectors
            self.ask(before, tid)
        elif behind is not None and not behind.active:
            behind.first = behind.undone = sector
            self.ask(behind, tid)

    # --- requests

    def enqueue(self, dev, sector, sectors, tid, time):
        request = self.at(dev, sector)
        if request is not None and request.active:  # the place is asked for anew: nobody saw the end of what was there
            self.end(request, time)
            request = None
        if request is None:
            self.make_here(dev, sector, sectors, tid, time)

    def merge_requests(self, dev, sector, time):
        gone, other = self.at(dev, sector), self.queued_until(dev, sector)
        if gone is None or gone.active or gone is other:
            return
        self.absorb(gone, other, time)
        if other is not None:
            other.end += gone.end - gone.first

    def issue(self, dev, sector, sectors, tid, time):
        request = self.at(dev, sector)
        if request is None:
            request = self.queued_until(dev, sector + sectors)  # what joined it at its front was not seen
            if request is not None:
                self.grow(request, sector, sectors, time)
        if request is None:
            request = self.make_here(dev, sector, sectors, tid, time)
        if request.end - request.first < sectors:
            self.grow(request, sector, sectors, time)
        if not request.active:
            request.start(time, tid)

    def requeue(self, dev, sector, time, tid, in_interrupt):
        request = self.at(dev, sector)
        if request is not None and request.active:
            request.come_back(time, tid, in_interrupt)

    def complete(self, dev, sector, sectors, time):
        """The request that is over now; None if only a part of it is."""
        device = self.of(dev)
        request = self.at(dev, sector)
        if request is None:
            request = self.queued_until(dev, sector + sectors)
            if request is not None:
                self.grow(request, sector, sectors, time)
        if request is None and sector in device.bios:
            request = self.make_here(dev, sector, sectors, 0, time)
        if request is None:  # on its way since before the recording; or since nobody knows when
            request = self.make(dev, sector, sectors, 0 if time <= OLD and not self.lost else time, [])
            device.requests.append(request)
        if sector + sectors < request.end:
            request.undone = sector + sectors
            return None
        self.end(request, time)
        return request

    # --- flushes

    def issue_flush(self, dev, tid, time):
        device = self.of(dev)
        if device.flushes_back:
            flush = device.flushes_back.pop(0)
        else:
            flush = self.wanted_flush(dev, Bio(time, tid))
        flush.start(time, tid)
        device.flushes.append(flush)

    def wanted_flush(self, dev, otherwise):
        """One for all that wait for it."""
        waiting = self.of(dev).want_flush or [otherwise]
        self.of(dev).want_flush = []
        return self.make(dev, 0, 0, waiting[0].time, [bio.tid for bio in waiting])

    def requeue_flush(self, dev, time, tid, in_interrupt):
        device = self.of(dev)
        if device.flushes:  # the last one: the device refuses at once
            device.flushes_back.append(device.flushes.pop())
            device.flushes_back[-1].come_back(time, tid, in_interrupt)

    def complete_flush(self, dev, time):
        device = self.of(dev)
        if device.flushes:
            flush = device.flushes.pop(0)
        elif device.flushes_back:
            flush = device.flushes_back.pop(0)
        else:
            flush = self.wanted_flush(dev, Bio(0 if time <= OLD and not self.lost else time, 0))
        flush.finish(time)
        return flush

    # --- ends

    def end(self, request, time):
        request.finish(time)
        device = self.of(request.dev)
        for group in (device.requests, device.flushes, device.flushes_back):
            if request in group:
                group.remove(request)

    def in_flight(self, tid, since):
        """The last request that this thread asked for and that was not over then."""
        for request in reversed(self.asked.get(tid, ())):
            if request.queue[-1][0] + OLD < since:
                return None
            if request.queue[-1][1] is not None and not request.device:  # it became a part of another one
                continue
            if request.completed is None or request.completed > since:
                return request
        return None

    def last_completed(self, tid):
        over = [r for r in self.asked.get(tid, ()) if r.completed is not None and r.device]
        return max(over, key=lambda r: r.completed) if over else None

    def rows(self, last):
        for request in self.all:
            for kind, spans in (('disk-queue', request.queue), ('disk', request.device)):
                for start, end in spans:
                    yield (kind, start, last if end is None else end)
