/** What was measured, in the units of the machine that it was measured on. */
export interface MeasuredCosts {
  /** Milliseconds of one core for a query, by service. The vector store is not among them: its share depends on how much it holds. */
  readonly queryCpuMs: Readonly<Record<string, number>>;
  /** The same for a document, from its upload to its place in the index. */
  readonly documentCpuMs: Readonly<Record<string, number>>;
  readonly passagesPerDocument: number;
}

/** What is decided, not measured. */
export interface Assumptions {
  /** Of a core that is busy at the wanted rate: the rest is for peaks and for a replica that is lost. */
  readonly busyShare: number;
  /** Of a dense vector, and bytes of each of its numbers as Qdrant keeps it. */
  readonly dimensions: number;
  readonly bytesPerNumber: number;
  /** The same in memory, where Qdrant holds vectors quantised. */
  readonly bytesPerNumberInMemory: number;
  /** Text, fields and sparse vector of a passage in Qdrant. */
  readonly payloadBytesPerPassage: number;
  /** Text and rows of a passage in PostgreSQL. */
  readonly postgresBytesPerPassage: number;
  /** Copies that Qdrant keeps of each passage. */
  readonly vectorCopies: number;
}

/** What is wanted. */
export interface Target {
  readonly queriesPerSecond: number;
  readonly passages: number;
  /** In which all of them are to be indexed. */
  readonly indexingHours: number;
}

/** What it takes. */
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
 * Cores by the utilisation law (U = X · D: rate times service demand), room by what a passage takes. Costs are taken as the same at any rate and any
 * number of replicas; docs/capacity.md says how far that was tried.
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
