import type { PageInfo, PageRequest } from '@lectern/contracts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** A page as it is asked for, within its bounds; the gateway has refused what is outside. */
export interface Page {
  readonly page: number;
  readonly limit: number;
  readonly skip: number;
  readonly take: number;
}

export function readPage(request: PageRequest | undefined): Page {
  const page = Math.max(1, request?.page || 1);
  const limit = Math.min(MAX_LIMIT, Math.max(1, request?.limit || DEFAULT_LIMIT));
  return { page, limit, skip: (page - 1) * limit, take: limit };
}

export function pageInfo({ page, limit }: Page, total: number): PageInfo {
  return { page, limit, total, hasMore: page * limit < total };
}
