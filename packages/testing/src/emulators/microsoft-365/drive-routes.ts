import { randomUUID } from 'node:crypto';
import type { GraphDrive, GraphItem } from '#emulators/microsoft-365/graph-model';
import {
  checkOptions,
  type DeltaPlace,
  type GraphState,
  itemResource,
  pageOf,
  refuse,
  selected,
} from '#emulators/microsoft-365/graph-responses';
import { jsonResponse, type PlatformRequest, type PlatformResponse } from '#emulators/platform/platform-server';

/** The folders above an item, from the root. */
function ancestors({ model }: GraphState, item: GraphItem): readonly GraphItem[] {
  const above: GraphItem[] = [];
  for (let at = model.items.get(item.parentId ?? ''); at !== undefined; at = model.items.get(at.parentId ?? '')) {
    above.unshift(at);
  }
  return above;
}

/**
 * Lists the items of a drive by their last change. An item that changes during the query occurs
 * again. Sets of changes also contain the folders above each changed item; with the header
 * `deltaExcludeParent`, only the root.
 * https://learn.microsoft.com/en-us/graph/api/driveitem-delta
 */
export function delta(
  state: GraphState,
  request: PlatformRequest,
  drive: GraphDrive,
  tokenInPath: string | undefined,
): PlatformResponse {
  checkOptions(request, ['token', '$select', '$top']);
  const { model, deltas, origin } = state;
  const token = tokenInPath ?? request.query.get('token') ?? undefined;
  const link = (place: DeltaPlace) =>
    `${origin}/v1.0/drives/${encodeURIComponent(drive.id)}/root/delta(token='${deltas.issue(drive.id, place)}')`;
  const fields = request.query.get('$select');
  const now = model.changes;
  if (token === 'latest') {
    const deltaLink = link({ from: now, startedAt: now, after: now, fields });
    return jsonResponse(200, { value: [], '@odata.deltaLink': deltaLink });
  }
  const beginning: DeltaPlace = { from: undefined, startedAt: now, after: 0, fields };
  const place =
    token === undefined
      ? beginning
      : (deltas.read(drive.id, token) ?? refuse(410, 'Resync required.', 'resyncRequired'));
  const isNew = ({ change, isDeleted }: GraphItem) =>
    change > place.after && (!isDeleted || change > (place.from ?? place.startedAt));
  const pending = model
    .itemsOf(drive.id)
    .filter(isNew)
    .sort((a, b) => a.change - b.change);
  const top = Number(request.query.get('$top') ?? 200);
  const page = pending.slice(0, Math.min(top, state.pageSize));
  const after = page.at(-1)?.change ?? place.after;
  const isOnlyChanged = request.headers.deltaexcludeparent !== undefined;
  const above = (place.from === undefined ? [] : page.flatMap((item) => ancestors(state, item))).filter(
    ({ kind }) => kind === 'root' || !isOnlyChanged,
  );
  const shown = [...new Map([...above, ...page].map((item) => [item.id, item])).values()];
  const value = shown.map((item) => selected(place.fields, itemResource(state, item, true)));
  const outdated = state.repeatsItems
    ? page
        .filter(({ kind, isDeleted }) => kind === 'file' && !isDeleted)
        .map((item) => {
          const resource = itemResource(state, { ...item, name: `outdated-${item.name}`, version: 0 }, true);
          return selected(place.fields, resource);
        })
    : [];
  const next = { ...place, after };
  const hasMore = pending.length > page.length;
  return jsonResponse(200, {
    '@odata.context': `${origin}/v1.0/$metadata#Collection(driveItem)`,
    value: [...outdated, ...value],
    ...(hasMore
      ? { '@odata.nextLink': link(next) }
      : { '@odata.deltaLink': link({ ...next, from: after, startedAt: after }) }),
  });
}

const found = ({ model }: GraphState, drive: GraphDrive, id: string): GraphItem => {
  const item = model.items.get(id);
  if (item === undefined || item.isDeleted || item.driveId !== drive.id) return refuse(404, 'Item not found');
  return item;
};

export function getItem(state: GraphState, request: PlatformRequest, drive: GraphDrive, id: string): PlatformResponse {
  checkOptions(request, ['$select']);
  const item = found(state, drive, id);
  const fields = request.query.get('$select');
  const resource = itemResource(state, item, false);
  if (fields !== null || item.kind !== 'file') return jsonResponse(200, selected(fields, resource));
  const token = randomUUID();
  state.downloads.set(token, item.id);
  return jsonResponse(200, { '@microsoft.graph.downloadUrl': `${state.origin}/download/${token}`, ...resource });
}

/** https://learn.microsoft.com/en-us/graph/api/driveitem-list-permissions */
export function listPermissions(
  state: GraphState,
  request: PlatformRequest,
  drive: GraphDrive,
  id: string,
): PlatformResponse {
  checkOptions(request, ['$select', '$skiptoken']);
  const item = found(state, drive, id);
  const holder = [item, ...ancestors(state, item).toReversed()].find(({ permissions }) => permissions !== undefined);
  const values = (holder?.permissions ?? []).map((permission, at) => ({ id: `permission-${at}`, ...permission }));
  return pageOf(state, request, { list: `permissions ${id}`, most: 200, values });
}

/**
 * Serves content at a preauthenticated address. A token is rejected there.
 * https://learn.microsoft.com/en-us/graph/api/driveitem-get-content
 */
export function download(state: GraphState, request: PlatformRequest, token: string): PlatformResponse {
  if (request.headers.authorization !== undefined) return refuse(401, 'The address is preauthenticated.');
  const item = state.model.items.get(state.downloads.get(token) ?? '');
  if (item === undefined) return refuse(404, 'The address has expired.');
  const type = { 'content-type': item.mimeType };
  const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1];
  if (range === undefined) return { status: 200, headers: type, body: item.content };
  const total = item.content.byteLength;
  const from = Number(range);
  if (from >= total) return { status: 416, headers: { 'content-range': `bytes */${total}` }, body: '' };
  const headers = { ...type, 'content-range': `bytes ${from}-${total - 1}/${total}` };
  return { status: 206, headers, body: item.content.subarray(from) };
}
