/**
 * glibc keeps an arena of freed memory for each thread; two are enough for Node. It also raises its
 * thresholds to keep large freed blocks; fixed thresholds return them to the system. Blocks of 32 KiB and
 * more include the buffers of socket reads, which would otherwise break up the heap
 * (docs/adr/0051-idle-services-collect-garbage.md).
 */
export const ALLOCATOR_ENV = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '131072',
} as const;
