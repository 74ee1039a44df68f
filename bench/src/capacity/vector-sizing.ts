import { table } from '#report/table';

/** How vectors are stored in a cluster of Qdrant. */
export interface VectorSetup {
  readonly name: string;
  readonly dimensions: number;
  /** Whether the original vectors and the word index are on disk, with one byte per value in memory. */
  readonly isOnDisk: boolean;
}

export const SETUPS: readonly VectorSetup[] = [
  { name: '192 dimensions (built in), all in memory', dimensions: 192, isOnDisk: false },
  { name: '192 dimensions, on disk', dimensions: 192, isOnDisk: true },
  { name: '1,024 dimensions, all in memory, `QDRANT_QUANTIZATION=off`', dimensions: 1_024, isOnDisk: false },
  { name: '1,024 dimensions, on disk, int8 in memory', dimensions: 1_024, isOnDisk: true },
];

/** Qdrant's factor for indexes, versions of points, and segments that are being optimized. */
const OVERHEAD = 1.5;
const BYTES_PER_FLOAT = 4;
/** int8 is used for this many dimensions or more. */
const MIN_QUANTIZED = 512;
/** A posting has an id, a weight and the highest weight after it. */
const BYTES_PER_POSTING = 12;
/** Different words of a passage, and its share of those of its document. */
const POSTINGS_PER_PASSAGE = 130;
/** The indexes of team, collection, document, readers, dates and facets. */
const FIELD_INDEX_BYTES = 300;
/** Text, fields and words of a passage. */
const PAYLOAD_BYTES = 1_700;

const COPIES = 2;
const NODE_MEMORY_GB = 64;
/** The rest is for the page cache, queries and the copies of a lost node. */
const USABLE_SHARE = 0.7;
const MIN_NODES = 3;

export interface VectorSizing {
  readonly memoryGb: number;
  readonly diskGb: number;
  readonly nodes: number;
}

/** Returns memory and disk of all copies, and the nodes of 64 GB that have this memory. */
export function vectorSizing({ dimensions, isOnDisk }: VectorSetup, passages: number): VectorSizing {
  const isQuantized = isOnDisk && dimensions >= MIN_QUANTIZED;
  const floats = dimensions * BYTES_PER_FLOAT * OVERHEAD;
  const bytes = isQuantized ? dimensions * OVERHEAD : 0;
  const words = POSTINGS_PER_PASSAGE * BYTES_PER_POSTING;
  const inMemory = bytes + FIELD_INDEX_BYTES + (isOnDisk ? 0 : floats + words);
  const onDisk = floats + bytes + words + FIELD_INDEX_BYTES + PAYLOAD_BYTES * OVERHEAD;
  const memoryGb = (passages * COPIES * inMemory) / 1e9;
  return {
    memoryGb,
    diskGb: (passages * COPIES * onDisk) / 1e9,
    nodes: Math.max(MIN_NODES, Math.ceil(memoryGb / (NODE_MEMORY_GB * USABLE_SHARE))),
  };
}

const gigabytes = (value: number): string => `${Math.ceil(value).toLocaleString('en')} GB`;

/** Renders the sizes as Markdown for docs/capacity.md. */
export function writeVectorSizing(): string {
  const amounts = [1e6, 1e7, 1e8];
  return table(
    ['memory / disk / nodes', ...amounts.map((passages) => `${passages / 1e6} M passages`)],
    SETUPS.map((setup) => [
      setup.name,
      ...amounts.map((passages) => {
        const { memoryGb, diskGb, nodes } = vectorSizing(setup, passages);
        return `${gigabytes(memoryGb)} / ${gigabytes(diskGb)} / ${nodes}`;
      }),
    ]),
  );
}
