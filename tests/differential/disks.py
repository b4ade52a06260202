"""Requests of block devices, one object each, found by looking through a list."""

OLD = 1_000_000_000  # what completes so early may have been on its way before the recording


class Request:
    def __init__(self, dev, sector, sectors, rwbs, tid, time):
        self.dev, self.first, self.end, self.rwbs, self.tid = dev, sector, sector + sectors, rwbs, tid
        self.flush = sectors == 0
        self.queued, self.issued, self.completed = time, None, None
        self.started = False      # it is a request already, not only a bio
        self.active_before = []   # times on the device that a requeue ended
        self.done_sectors = 0

    def covers(self, sector):
        return self.first <= sector < self.end


class Disks:
    def __init__(self):
        self.all = []
        self.open = {}
        self.last_flush = {}

    def of(self, dev):
        return self.open.setdefault(dev, [])

    def add(self, dev, sector, sectors, rwbs, tid, time):
        request = Request(dev, sector, sectors, rwbs, tid, time)
        self.of(dev).append(request)
        self.all.append(request)
        return request

    def remove(self, request):
        """It became part of another one."""
        self.of(request.dev).remove(request)
        self.all.remove(request)

    def waiting(self, dev, sector, sectors):
        """The oldest request that waits in the queue and begins there."""
        for request in self.of(dev):
            if request.issued is None and (request.flush if sectors == 0 else not request.flush and request.first == sector):
                return request
        return None

    def bio_queue(self, dev, sector, sectors, rwbs, tid, time):
        self.add(dev, sector, sectors, rwbs, tid, time)

    def io_start(self, dev, sector, sectors, rwbs, tid, time):
        for old in self.of(dev):  # the place is asked for anew: what was there before is done, though nobody saw it
            if old.issued is not None and sectors and old.first == sector:
                self.end(old, time)
                break
        request = self.waiting(dev, sector, sectors)
        if request is None:
            request = self.add(dev, sector, sectors, rwbs, tid, time)
        request.started = True
        request.end = max(request.end, request.first + sectors)

    def split(self, dev, sector, at):
        """A bio becomes two; both were asked for when it was."""
        bio = next((r for r in self.of(dev) if r.issued is None and not r.flush and r.first < at < r.end and r.first == sector), None)
        if bio is not None:
            self.add(dev, at, bio.end - at, bio.rwbs, bio.tid, bio.queued)
            bio.end = at

    def merge(self, dev, sector, sectors):
        """A bio or a request joins its neighbour."""
        own = self.waiting(dev, sector, sectors)
        if own is None or own.flush:
            return
        for other in self.of(dev):
            if other is not own and other.issued is None and not other.flush and (other.end == sector or own.end == other.first):
                other.first, other.end = min(other.first, own.first), max(other.end, own.end)
                other.queued = min(other.queued, own.queued)
                self.remove(own)
                return

    def issue(self, dev, sector, sectors, rwbs, tid, time):
        request = self.waiting(dev, sector, sectors)
        if request is None:
            for other in self.of(dev):
                if other.issued is None and not other.flush and sectors and other.covers(sector):
                    request = other
        if request is None and any(r.issued is not None and r.first == sector and sectors for r in self.of(dev)):
            return  # issued again: it came back meanwhile
        if request is None:
            request = self.add(dev, sector, sectors, rwbs, tid, None)
        request.issued = time
        if sectors:
            request.first, request.end = sector, sector + sectors

    def requeue(self, dev, sector, sectors, time):
        for request in self.of(dev):
            if request.issued is not None and (request.flush if sectors == 0 else request.first == sector):
                request.active_before.append((request.issued, time))
                request.issued = None
                return

    def complete(self, dev, sector, sectors, rwbs, time):
        flush = sectors == 0 and (sector in (0, (1 << 64) - 1))
        candidates = [r for r in self.of(dev) if (r.flush if flush else r.covers(sector))]
        request = next((r for r in candidates if r.issued is not None), None) or next(iter(candidates), None)
        if request is None and flush:  # a flush is told a second time, for the request that asked for it
            return self.last_flush.get(dev)
        if request is None:  # on its way since before the recording, or nobody knows since when
            request = self.add(dev, sector, sectors, rwbs, 0, None)
            request.issued = 0 if time <= OLD else time
        if flush:
            self.last_flush[dev] = request
        if request.issued is None:
            request.issued = request.queued
        request.done_sectors += sectors
        if not flush and request.done_sectors < request.end - request.first:
            return request
        request.completed = time
        self.of(dev).remove(request)
        return request

    def end(self, request, time):
        """Its completion was not seen."""
        if request.issued is None:
            request.issued = request.queued
        request.completed = max(time, request.issued)
        self.of(request.dev).remove(request)

    def rows(self, last):
        for request in self.all:
            end = request.completed if request.completed is not None else last
            if request.issued is None:
                if request.started:
                    yield ('disk-queue', request.queued, end)
                continue
            if request.queued is not None:
                yield ('disk-queue', request.queued, request.issued)
            yield ('disk', request.issued, end)
