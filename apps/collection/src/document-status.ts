import { DocumentStatus as ContractStatus } from '@lectern/contracts';
import type { DocumentStatus } from '#gen/prisma/client';

/**
 * The allowed status changes of a document. `deleted` is final: an item that returns becomes a new
 * document.
 */
export const DOCUMENT_MOVES: Readonly<Record<DocumentStatus, readonly DocumentStatus[]>> = {
  pending: ['processing', 'failed', 'deleted'],
  // Stays `processing` if newer content arrives during indexing.
  processing: ['processing', 'indexed', 'failed', 'deleted'],
  indexed: ['processing', 'failed', 'deleted'],
  failed: ['pending', 'processing', 'failed', 'deleted'],
  deleted: [],
};

/** Returns the states from which a document can change to this one, for the WHERE of an UPDATE. */
export function statesBefore(next: DocumentStatus): DocumentStatus[] {
  return (Object.keys(DOCUMENT_MOVES) as DocumentStatus[]).filter((state) => DOCUMENT_MOVES[state].includes(next));
}

/** All states except `deleted`. */
export const LIVE_STATES = statesBefore('deleted');

const contractStatus = {
  pending: ContractStatus.PENDING,
  processing: ContractStatus.PROCESSING,
  indexed: ContractStatus.INDEXED,
  failed: ContractStatus.FAILED,
  deleted: ContractStatus.DELETED,
} as const satisfies Record<DocumentStatus, ContractStatus>;

/** Maps a row's status to the contract. */
export function toContractStatus(status: DocumentStatus): ContractStatus {
  return contractStatus[status];
}

/** Maps a status of the contract to a row's status; undefined for an unknown one. */
export function fromContractStatus(status: ContractStatus): DocumentStatus | undefined {
  return (Object.keys(contractStatus) as DocumentStatus[]).find((name) => contractStatus[name] === status);
}
