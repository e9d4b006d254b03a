# SPDX-License-Identifier: Apache-2.0
"""What both buses are driven with: `bus.write(offset, data, strobes)` -> error, `bus.read(offset)` -> (data, error)."""
import registers as regs
from reference import Candidate, NONE, decide


def field(slot, offset):
    return regs.CANDIDATE_OFFSET + slot * regs.CANDIDATE_STRIDE + offset


class Session:
    def __init__(self, bus, random, depth):
        self.bus, self.random, self.depth = bus, random, depth
        self.table, self.fields, self.seen = {}, {}, {}
        self.clock = self.order = 0
        self.use_size = self.use_staleness = False

    def count(self, what):
        self.seen[what] = self.seen.get(what, 0) + 1

    async def write(self, offset, data, strobes=0xF):
        assert not await self.bus.write(offset, data & 0xFFFFFFFF, strobes), f"error response to a write at {offset:#x}"

    async def write_bytes(self, offset, data):
        """The same word in two writes that share no byte. Never a whole word, so that nothing else is set."""
        first = self.random.randrange(1, 15)
        for strobes in self.random.sample([first, 15 - first], 2):
            garbage = self.random.getrandbits(32)
            mask = sum(0xFF << 8 * b for b in range(4) if strobes >> b & 1)
            await self.write(offset, (data & mask) | (garbage & ~mask), strobes)

    async def read(self, offset):
        data, error = await self.bus.read(offset)
        assert not error, f"error response to a read at {offset:#x}"
        return data

    async def set_mode(self, use_size, use_staleness):
        await self.write(regs.MODE_OFFSET, (regs.MODE_USE_SIZE_MASK if use_size else 0) |
                         (regs.MODE_USE_STALENESS_MASK if use_staleness else 0))
        self.use_size, self.use_staleness = use_size, use_staleness

    async def set_clock(self, clock):
        await self.write(regs.CLOCK_LO_OFFSET, clock)
        await self.write(regs.CLOCK_HI_OFFSET, clock >> 32)
        self.clock = clock

    async def insert(self, slot, cost, size, last):
        """Short stores where they say it all, else both words, else byte by byte."""
        for name, value, high in (("COST", cost, -1 if cost & 1 << 31 else 0), ("SIZE", size, 0)):
            low_offset, high_offset = (field(slot, getattr(regs, f"CANDIDATE_{name}_{end}_OFFSET")) for end in ("LO", "HI"))
            kind = self.random.randrange(3)
            if kind == 0:
                self.count("bytes")
                await self.write_bytes(low_offset, value)
                await self.write_bytes(high_offset, value >> 32)
            else:
                await self.write(low_offset, value)
                if kind == 1 or value >> 32 != high:
                    await self.write(high_offset, value >> 32)
                else:
                    self.count("one store")
        await self.write(field(slot, regs.CANDIDATE_INSERT_OFFSET), last)
        if last >> 32 != self.clock >> 32:
            await self.write(field(slot, regs.CANDIDATE_LAST_HI_OFFSET), last >> 32)
        self.table[slot] = Candidate(cost, size, last, self.order)
        self.order += 1

    async def remove(self, slot):
        await self.write(field(slot, regs.CANDIDATE_REMOVE_OFFSET), 0)
        self.table.pop(slot, None)

    async def soft_reset(self):
        await self.write(regs.CONTROL_OFFSET, regs.CONTROL_SOFT_RESET_MASK)
        self.table, self.clock, self.order = {}, 0, 0
        self.use_size = self.use_staleness = False

    async def random_insert(self, slot):
        choose = self.random.choice
        cost = choose([0, 1, -1, 5, -5, self.random.getrandbits(31), -self.random.getrandbits(40) - 1,
                       (1 << 47) - 1, -(1 << 47), self.random.getrandbits(46)])
        size = choose([0, 1, 2, self.random.getrandbits(36), (1 << 40) - 1, 1 + self.random.getrandbits(20)])
        last = choose([0, self.clock, max(self.clock - 1, 0), max(self.clock - 5, 0), self.random.getrandbits(46),
                       min(self.clock + 3, (1 << 48) - 1)])
        await self.insert(slot, cost, size, last)

    async def change(self):
        """One random change of the table, the clock or the mode."""
        slot = self.random.randrange(self.depth)
        kind = self.random.randrange(8)
        if kind < 4:
            await self.random_insert(slot)
        elif kind < 6:
            await self.remove(slot)
        elif kind == 6:
            await self.set_clock(self.random.choice([0, 7, self.random.getrandbits(33), (1 << 48) - 1]))
        else:
            await self.set_mode(self.random.random() < 0.7, self.random.random() < 0.7)

    def expected(self):
        return decide(self.table, self.use_size, self.use_staleness, self.clock)

    async def start(self):
        await self.write(regs.CONTROL_OFFSET, regs.CONTROL_START_MASK)

    async def finish(self, expected):
        """Polls, and compares the result with the decision."""
        for _ in range(1000):
            word = await self.read(regs.RESULT_OFFSET)
            if word & regs.RESULT_DONE_MASK:
                break
        assert word & regs.RESULT_DONE_MASK and not word & regs.RESULT_BUSY_MASK, f"no end: {word:#x}"
        assert not word & regs.RESULT_SAT_MASK
        wanted_class, wanted_slot, mixed = expected
        got_class = (word & regs.RESULT_CLASS_MASK) >> regs.RESULT_CLASS_SHIFT
        got_slot = (word & regs.RESULT_SLOT_MASK) >> regs.RESULT_SLOT_SHIFT
        assert bool(word & regs.RESULT_MIXED_MASK) == mixed
        assert bool(word & regs.RESULT_EMPTY_MASK) == (wanted_class == NONE)
        assert got_class == wanted_class
        if wanted_class != NONE:
            assert got_slot == wanted_slot, f"slot {got_slot}, expected {wanted_slot}"
        self.count(f"class {wanted_class}")

    async def drain(self):
        """What was queued during a search has reached the table."""
        for _ in range(1000):
            if not await self.read(regs.QUEUE_OFFSET) & regs.QUEUE_LEVEL_MASK:
                return
        assert False, "the queue does not drain"

    async def errors(self):
        """Wrong direction, holes, slots beyond the table; nothing changes, and the answers say so."""
        for offset in (regs.ID_OFFSET, regs.RESULT_OFFSET, regs.COUNT_OFFSET, 0x400, field(self.depth, 0), 0xFFFFC):
            assert await self.bus.write(offset, 0xFFFFFFFF, 0xF), f"write at {offset:#x} was accepted"
        for offset in (regs.CONTROL_OFFSET, 0x400, field(0, regs.CANDIDATE_COST_LO_OFFSET)):
            assert (await self.bus.read(offset))[1], f"read at {offset:#x} was accepted"

    async def run(self, rounds):
        """Random changes and searches; changes and soft resets while a search runs."""
        random = self.random
        assert await self.read(regs.ID_OFFSET) == regs.ID_RESET
        assert await self.read(regs.COUNT_OFFSET) == 0
        await self.errors()
        await self.start()
        await self.finish(self.expected())
        for index in range(rounds):
            if index % 10 == 5:
                await self.soft_reset()
                for slot in range(self.depth):
                    await self.random_insert(slot)
                self.count("full")
            for _ in range(random.randrange(5)):
                await self.change()
            expected = self.expected()
            await self.start()
            during = random.randrange(4)
            if during == 0:
                await self.soft_reset()
                self.count("reset")
                word = await self.read(regs.RESULT_OFFSET)
                assert not word & (regs.RESULT_BUSY_MASK | regs.RESULT_DONE_MASK), f"after reset: {word:#x}"
                assert await self.read(regs.COUNT_OFFSET) == 0
                continue
            if during == 1:
                # Reads, errors and what waits are served; the running search must not see any of it.
                for _ in range(random.randrange(1, 4)):
                    await self.change()
                self.count("change during a search")
                if random.random() < 0.3:
                    await self.errors()
            await self.finish(expected)
            await self.drain()
            assert await self.read(regs.COUNT_OFFSET) == len(self.table)
