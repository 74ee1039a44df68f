import type { GraphDrive, GraphItem, GraphModel, GraphUser } from '#emulators/microsoft-365/graph-model';
import type { PageTokens } from '#emulators/platform/page-tokens';
import {
  jsonResponse,
  PlatformError,
  type PlatformRequest,
  type PlatformResponse,
} from '#emulators/platform/platform-server';

/** A position in a delta query. */
export interface DeltaPlace {
  /** Changes after this one are new to the client; undefined in a query for everything. */
  readonly from: number | undefined;
  /** The query began at this change: earlier deletions are not part of it. */
  readonly startedAt: number;
  /** The last change of the earlier pages. */
  readonly after: number;
  readonly fields: string | null;
  /** Threads that changed after this time. */
  readonly since?: number | undefined;
  /** The page size of a query of which later requests do not repeat it. */
  readonly top?: number;
}

/** An error of a request in a batch. */
interface GraphBatchFault {
  readonly status: number;
  readonly retryAfter?: string;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, unknown>>;
}

export interface GraphState {
  readonly model: GraphModel;
  readonly tenantId: string;
  origin: string;
  readonly pageSize: number;
  /** The maximum number of replies that a list returns with a message. */
  readonly replyPageSize: number;
  readonly pages: PageTokens<number>;
  readonly deltas: PageTokens<DeltaPlace>;
  /** The items of addresses of content. */
  readonly downloads: Map<string, string>;
  /** True to return items again, and first in an outdated state. */
  repeatsItems: boolean;
  /** Paths that the application may not request. */
  denied: RegExp | undefined;
  /** Returns the error of a request in a batch. */
  batchFault: (url: string) => GraphBatchFault | undefined;
}

/** https://learn.microsoft.com/en-us/graph/errors */
export function graphError(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): PlatformResponse {
  const innerError = { 'request-id': '00000000-0000-4000-8000-000000000000', date: '2026-03-01T08:00:00' };
  return jsonResponse(status, { error: { code, message, innerError } }, headers);
}

const CODES: Readonly<Record<number, string>> = {
  400: 'invalidRequest',
  401: 'InvalidAuthenticationToken',
  403: 'accessDenied',
  404: 'itemNotFound',
  410: 'resyncRequired',
  423: 'notAllowed',
  429: 'activityLimitReached',
  500: 'generalException',
  503: 'serviceNotAvailable',
};

export const graphRefusal = (status: number, message: string): PlatformResponse =>
  graphError(status, CODES[status] ?? 'unknownError', message);

export const refuse = (status: number, message: string, code?: string): never => {
  throw new PlatformError(graphError(status, code ?? CODES[status] ?? 'unknownError', message));
};

/** Rejects unknown query options. */
export function checkOptions({ query }: PlatformRequest, known: readonly string[]): void {
  for (const name of query.keys()) if (!known.includes(name)) refuse(400, `The query parameter ${name} is unknown.`);
}

/** Returns the selected fields, and always the annotations. */
export function selected(fields: string | null, value: object): object {
  if (fields === null) return value;
  const names = new Set(fields.split(',').map((name) => name.trim()));
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)));
}

/** Returns a page of a list, with an opaque link to the next one. */
export function pageOf<T extends object>(
  state: GraphState,
  request: PlatformRequest,
  {
    list,
    most,
    values,
    show = (value) => value,
  }: {
    readonly list: string;
    readonly most: number;
    readonly values: readonly T[];
    /** Converts the values of the page. */
    readonly show?: (value: T) => object;
  },
): PlatformResponse {
  const top = Number(request.query.get('$top') ?? most);
  if (!Number.isInteger(top) || top < 1 || top > 999) refuse(400, 'Invalid page size.', 'Request_BadRequest');
  const token = request.query.get('$skiptoken');
  const start = token === null ? 0 : (state.pages.read(list, token) ?? refuse(400, 'The skip token is invalid.'));
  const end = start + Math.min(top, state.pageSize);
  const next = new URL(`${state.origin}${request.url}`);
  next.searchParams.set('$skiptoken', end < values.length ? state.pages.issue(list, end) : '');
  return jsonResponse(200, {
    '@odata.context': `${state.origin}/v1.0/$metadata#${list}`,
    ...(end < values.length ? { '@odata.nextLink': next.href } : {}),
    value: values.slice(start, end).map((value) => selected(request.query.get('$select'), show(value))),
  });
}

export const userResource = (user: GraphUser): object => ({ ...user });

export function driveResource({ model }: GraphState, drive: GraphDrive): object {
  const site = model.sites.get(drive.siteId ?? '');
  const group = model.groups.get(site?.groupId ?? '');
  const user = model.users.get(drive.userId ?? '');
  const owner =
    group === undefined
      ? { user: { id: user?.id, displayName: user?.displayName ?? 'System Account' } }
      : { group: { id: group.id, displayName: `${group.displayName} Owners`, email: 'group@example.com' } };
  return {
    id: drive.id,
    name: 'Documents',
    driveType: drive.driveType,
    owner,
    webUrl: 'https://example.sharepoint.com',
  };
}

const eTagOf = ({ id, version }: GraphItem): string => `"{${id}},${version}"`;

/** https://learn.microsoft.com/en-us/graph/api/resources/driveitem */
export function itemResource(state: GraphState, item: GraphItem, isInList: boolean): Record<string, unknown> {
  const { kind, driveId, parentId } = item;
  const parent = state.model.items.get(parentId ?? '');
  const path =
    parent === undefined
      ? ''
      : state.model
          .pathOf(parent)
          .map((name) => `/${encodeURIComponent(name)}`)
          .join('');
  const facets: Record<GraphItem['kind'], object> = {
    root: { root: {}, folder: { childCount: 1 } },
    folder: { folder: { childCount: 1 } },
    file: { file: { mimeType: item.mimeType, hashes: { quickXorHash: 'AAAA' } } },
    package: { package: { type: 'oneNote' } },
    shortcut: { remoteItem: { id: '01ELSEWHERE', parentReference: { driveId: 'b!elsewhere' } } },
  };
  const reference = {
    driveId,
    driveType: state.model.drives.get(driveId)?.driveType,
    ...(parentId === undefined ? {} : { id: parentId }),
    // Lists of changes lack the path.
    ...(isInList || parentId === undefined ? {} : { path: `/drives/${driveId}/root:${path}` }),
  };
  const base = {
    '@odata.type': '#microsoft.graph.driveItem',
    id: item.id,
    parentReference: reference,
    ...facets[kind],
  };
  if (item.isDeleted) return { ...base, deleted: { state: 'deleted' } };
  const person = { user: { id: '11111111-2222-4333-8444-555555555555', displayName: 'Ada Lovelace' } };
  return {
    ...base,
    name: item.name,
    eTag: eTagOf(item),
    // Omitted by delta queries and for folders.
    ...(isInList || kind !== 'file' ? {} : { cTag: `"c:{${item.id}},${item.version}"` }),
    size: item.content.byteLength,
    webUrl: `https://example.sharepoint.com/${driveId}/${item.id}`,
    createdBy: person,
    createdDateTime: '2026-01-01T08:00:00Z',
    lastModifiedBy: person,
    lastModifiedDateTime: item.modified,
    fileSystemInfo: { createdDateTime: '2026-01-01T08:00:00Z', lastModifiedDateTime: item.modified },
  };
}
