import type { PageInfo, PageRequest } from '@lectern/contracts';

const LIMIT = { default: 20, max: 100 };

/** A page of a list. */
export interface Page {
  /** Starts at 1. */
  readonly page: number;
  /** Rows per page, 1 to 100. */
  readonly limit: number;
  /** Rows before the page. */
  readonly skip: number;
  readonly take: number;
}

/**
 * Parses the page of a request, limited to valid values. Default: page 1 with 20 rows. The gateway
 * rejects invalid values.
 */
export function readPage(request: PageRequest | undefined): Page {
  const page = Math.max(1, request?.page || 1);
  const limit = Math.min(LIMIT.max, Math.max(1, request?.limit || LIMIT.default));
  return { page, limit, skip: (page - 1) * limit, take: limit };
}

/** Describes a page of a list with `total` rows. */
export function pageInfo({ page, limit }: Page, total: number): PageInfo {
  return { page, limit, total, hasMore: page * limit < total };
}
