/** Measured costs on the reference machine. */
export interface MeasuredCosts {
  /**
   * CPU milliseconds per query by service, without the vector store, whose cost depends on its
   * size.
   */
  readonly queryCpuMs: Readonly<Record<string, number>>;
  /** CPU milliseconds per document, from its upload until it is indexed. */
  readonly documentCpuMs: Readonly<Record<string, number>>;
  readonly passagesPerDocument: number;
}

/** Planning assumptions. */
export interface Assumptions {
  /** The target utilization of a core. The rest is reserved for peaks and a lost replica. */
  readonly busyShare: number;
  /** The dimensions of a dense vector, and bytes per dimension on disk. */
  readonly dimensions: number;
  readonly bytesPerNumber: number;
  /** Bytes per dimension in memory, where Qdrant stores quantized vectors. */
  readonly bytesPerNumberInMemory: number;
  /** Text, fields and sparse vector of a passage in Qdrant. */
  readonly payloadBytesPerPassage: number;
  /** Text and rows of a passage in PostgreSQL. */
  readonly postgresBytesPerPassage: number;
  /** The replication factor of Qdrant. */
  readonly vectorCopies: number;
}

/** The required capacity. */
export interface Target {
  readonly queriesPerSecond: number;
  readonly passages: number;
  /** The time to index all documents. */
  readonly indexingHours: number;
}

/** The required resources. */
export interface Capacity {
  readonly documents: number;
  readonly coresForQueries: Readonly<Record<string, number>>;
  readonly coresForIndexing: Readonly<Record<string, number>>;
  readonly postgresGigabytes: number;
  readonly vectorGigabytesOnDisk: number;
  readonly vectorGigabytesInMemory: number;
}

const GIGABYTE = 1e9;

/**
 * Calculates cores by the utilization law (U = X · D: rate times service demand) and storage by the
 * size of a passage. Assumes constant costs at any rate and number of replicas; docs/capacity.md
 * describes how far that was tested.
 */
export function capacityFor(costs: MeasuredCosts, assumed: Assumptions, target: Target): Capacity {
  const { busyShare, dimensions, bytesPerNumber, bytesPerNumberInMemory, payloadBytesPerPassage, vectorCopies } =
    assumed;
  const documents = target.passages / costs.passagesPerDocument;
  const documentsPerSecond = documents / (target.indexingHours * 3_600);
  const cores = (demandMs: Readonly<Record<string, number>>, perSecond: number) =>
    Object.fromEntries(Object.entries(demandMs).map(([name, ms]) => [name, (perSecond * ms) / 1_000 / busyShare]));
  const stored = target.passages * vectorCopies;
  return {
    documents,
    coresForQueries: cores(costs.queryCpuMs, target.queriesPerSecond),
    coresForIndexing: cores(costs.documentCpuMs, documentsPerSecond),
    postgresGigabytes: (target.passages * assumed.postgresBytesPerPassage) / GIGABYTE,
    vectorGigabytesOnDisk:
      (stored * (dimensions * (bytesPerNumber + bytesPerNumberInMemory) + payloadBytesPerPassage)) / GIGABYTE,
    vectorGigabytesInMemory: (stored * dimensions * bytesPerNumberInMemory) / GIGABYTE,
  };
}
