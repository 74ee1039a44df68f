import { DocumentStatus as ContractStatus } from '@lectern/contracts';
import type { DocumentStatus } from '#gen/prisma/client';

/** The moves a document may make. `deleted` is final: an item that comes back is a new document. */
export const DOCUMENT_MOVES: Readonly<Record<DocumentStatus, readonly DocumentStatus[]>> = {
  pending: ['processing', 'failed', 'deleted'],
  // To itself where newer content arrives while the older is being indexed.
  processing: ['processing', 'indexed', 'failed', 'deleted'],
  indexed: ['processing', 'failed', 'deleted'],
  failed: ['pending', 'processing', 'failed', 'deleted'],
  deleted: [],
};

/** The states from which a document may move to this one; what an UPDATE puts in its WHERE. */
export function statesBefore(next: DocumentStatus): DocumentStatus[] {
  return (Object.keys(DOCUMENT_MOVES) as DocumentStatus[]).filter((state) => DOCUMENT_MOVES[state].includes(next));
}

/** Every state but `deleted`. */
export const LIVE_STATES = statesBefore('deleted');

const contractStatus = {
  pending: ContractStatus.PENDING,
  processing: ContractStatus.PROCESSING,
  indexed: ContractStatus.INDEXED,
  failed: ContractStatus.FAILED,
  deleted: ContractStatus.DELETED,
} as const satisfies Record<DocumentStatus, ContractStatus>;

/** A row's status as the contract has it. */
export function toContractStatus(status: DocumentStatus): ContractStatus {
  return contractStatus[status];
}

/** The contract's status as a row has it; undefined for one that is not among them. */
export function fromContractStatus(status: ContractStatus): DocumentStatus | undefined {
  return (Object.keys(contractStatus) as DocumentStatus[]).find((name) => contractStatus[name] === status);
}
