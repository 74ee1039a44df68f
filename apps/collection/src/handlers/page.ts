import type { PageInfo, PageRequest } from '@lectern/contracts';

/** Which rows of a list to read. */
export interface PageWindow {
  readonly page: number;
  readonly limit: number;
  readonly skip: number;
  readonly take: number;
}

/** The rows that a request asks for: page from 1, 1 to 100 rows, 20 where it does not say. */
export function pageWindow(request: PageRequest | undefined): PageWindow {
  const page = Math.max(1, request?.page ?? 1);
  const limit = Math.min(100, Math.max(1, request?.limit || 20));
  return { page, limit, skip: (page - 1) * limit, take: limit };
}

/** Where the answer stands in the whole list. */
export function pageInfo({ page, limit }: PageWindow, total: number): PageInfo {
  return { page, limit, total, hasMore: page * limit < total };
}
