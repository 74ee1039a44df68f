import type { PageInfo, PageRequest } from '@lectern/contracts';

const LIMIT = { default: 20, max: 100 };

/** Which rows of a list are asked for. */
export interface Page {
  /** Counted from 1. */
  readonly page: number;
  /** Rows a page, 1 to 100. */
  readonly limit: number;
  /** Rows before the page; with `take` what a query needs. */
  readonly skip: number;
  readonly take: number;
}

/** The page that a request asks for, brought within bounds: page 1 and 20 rows where it does not say. The gateway refuses what is outside. */
export function readPage(request: PageRequest | undefined): Page {
  const page = Math.max(1, request?.page || 1);
  const limit = Math.min(LIMIT.max, Math.max(1, request?.limit || LIMIT.default));
  return { page, limit, skip: (page - 1) * limit, take: limit };
}

/** Where an answer stands in a list of `total` rows. */
export function pageInfo({ page, limit }: Page, total: number): PageInfo {
  return { page, limit, total, hasMore: page * limit < total };
}
