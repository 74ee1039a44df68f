import { checkParameters, refuse, selected } from '#emulators/google/google-responses';
import type { DriveFile, DriveModel, DrivePermission } from '#emulators/google-drive/drive-model';
import {
  EXPORT_LIMIT_BYTES,
  fileResource,
  GOOGLE_APPS,
  readPageSize,
  visibleFile,
} from '#emulators/google-drive/drive-responses';
import type { Viewer } from '#emulators/google-drive/viewer';
import type { PageTokens } from '#emulators/platform/page-tokens';
import type { PlatformRequest, PlatformResponse } from '#emulators/platform/platform-server';

export interface DriveState {
  readonly model: DriveModel;
  readonly pages: PageTokens<string>;
  /** The maximum page size. */
  readonly pageSize: number;
  /** True to mark listings as incomplete. */
  incompleteSearch: boolean;
  /** Change tokens below this one have expired. */
  oldestChange: number;
  /** The user of a service account's token; undefined for the user who authorized the application, who sees all. */
  readonly viewer?: Viewer | undefined;
  readonly driveMembers: ReadonlyMap<string, readonly DrivePermission[]>;
}

/** An administrator sees all shared drives and their members, but not their files. */
function isAdministrator({ viewer }: DriveState, request: PlatformRequest): boolean {
  if (!isTrue(request, 'useDomainAdminAccess')) return false;
  return viewer?.user.isAdmin || refuse(403, 'domainAdminAccessRequired', 'The user is not a domain administrator.');
}

const seesDrive = ({ model, viewer }: DriveState, id: string): boolean =>
  model.drives.has(id) && (viewer === undefined || viewer.driveRole(id) !== undefined);

const isTrue = ({ query }: PlatformRequest, name: string) => query.get(name) === 'true';
const ALL_DRIVES = ['supportsAllDrives', 'includeItemsFromAllDrives'];

/** The page of sorted ids at the token of the request. */
function pageOf(state: DriveState, request: PlatformRequest, listing: string, ids: readonly string[], most: number) {
  const size = Math.min(readPageSize(request, most), state.pageSize);
  const token = request.query.get('pageToken');
  const after = token === null ? '' : (state.pages.read(listing, token) ?? refuse(400, 'invalid', 'Invalid Value'));
  const rest = ids.filter((id) => id > after).sort();
  const page = rest.slice(0, size);
  const last = page.at(-1);
  const more = rest.length > page.length && last !== undefined;
  return { page, ...(more ? { nextPageToken: state.pages.issue(listing, last) } : {}) };
}

export function listDrives(state: DriveState, request: PlatformRequest): PlatformResponse {
  checkParameters(request, ['pageSize', 'pageToken', 'useDomainAdminAccess']);
  const isAll = isAdministrator(state, request);
  const visible = [...state.model.drives.keys()].filter((id) => isAll || seesDrive(state, id));
  const { page, ...next } = pageOf(state, request, `drives ${isAll}`, visible, 100);
  const drives = page.map((id) => ({ kind: 'drive#drive', id, name: state.model.drives.get(id) }));
  return selected(request, { kind: 'drive#driveList', drives, ...next }, 'kind,nextPageToken,drives(kind,id,name)');
}

export function listFiles(state: DriveState, request: PlatformRequest, origin: string): PlatformResponse {
  checkParameters(request, ['q', 'pageSize', 'pageToken', 'corpora', 'driveId', 'spaces', 'orderBy', ...ALL_DRIVES]);
  const { query } = request;
  const q = query.get('q') ?? '';
  const owned = q === "'me' in owners and trashed=false";
  if (!owned && !/^(trashed\s*=\s*false)?$/.test(q)) refuse(400, 'invalid', 'Invalid Value');
  const corpora = query.get('corpora') ?? 'user';
  const driveId = query.get('driveId') ?? undefined;
  const all = isTrue(request, 'supportsAllDrives') && isTrue(request, 'includeItemsFromAllDrives');
  if ((corpora === 'drive') !== (driveId !== undefined)) {
    refuse(400, 'invalid', 'The driveId parameter must be specified if and only if corpora is set to drive.');
  }
  if (driveId !== undefined && !all) refuse(400, 'badRequest', 'The shared drive needs supportsAllDrives.');
  if (driveId !== undefined && !seesDrive(state, driveId)) {
    refuse(404, 'notFound', `Shared drive not found: ${driveId}`);
  }
  const { viewer } = state;
  const inCorpus = (file: DriveFile) => {
    if (viewer?.sees(file) === false || (owned && viewer?.owns(file) === false)) return false;
    return corpora === 'drive' ? file.driveId === driveId : file.driveId === undefined || all;
  };
  const ids = [...state.model.files.values()]
    .filter((file) => inCorpus(file) && (q === '' || !file.trashed))
    .map((file) => file.id);
  const { page, ...next } = pageOf(state, request, `files ${viewer?.user.id} ${corpora} ${driveId} ${q}`, ids, 1_000);
  const files = page.flatMap((id) => {
    const file = state.model.files.get(id);
    return file === undefined ? [] : [fileResource(file, origin)];
  });
  const answer = { kind: 'drive#fileList', incompleteSearch: state.incompleteSearch, files, ...next };
  return selected(request, answer, 'kind,incompleteSearch,nextPageToken,files(kind,id,name,mimeType)');
}

export function getFile(state: DriveState, request: PlatformRequest, id: string, origin: string): PlatformResponse {
  checkParameters(request, ['supportsAllDrives', 'acknowledgeAbuse']);
  const file = visibleFile(state, id, request);
  if (request.query.get('alt') !== 'media') {
    return selected(request, fileResource(file, origin), 'kind,id,name,mimeType');
  }
  if (file.mimeType.startsWith(GOOGLE_APPS)) {
    refuse(
      403,
      'fileNotDownloadable',
      'Only files with binary content can be downloaded. Use Export with Docs Editors files.',
    );
  }
  if (!file.downloadable) refuse(403, 'cannotDownloadFile', 'This file cannot be downloaded by the user.');
  return { status: 200, headers: { 'content-type': file.mimeType }, body: file.content };
}

export function exportFile(state: DriveState, request: PlatformRequest, id: string): PlatformResponse {
  checkParameters(request, ['mimeType']);
  // Export supports shared drives without a parameter.
  const found = state.model.files.get(id);
  const file =
    found !== undefined && state.viewer?.sees(found) !== false
      ? found
      : refuse(404, 'notFound', `File not found: ${id}.`);
  const mimeType = request.query.get('mimeType') ?? refuse(400, 'required', 'Required parameter: mimeType');
  if (!file.mimeType.startsWith(GOOGLE_APPS)) {
    refuse(403, 'fileNotExportable', 'Export only supports Docs Editors files.');
  }
  const content = file.exports[mimeType] ?? refuse(400, 'badRequest', 'The requested conversion is not supported.');
  if (Buffer.byteLength(content) > EXPORT_LIMIT_BYTES) {
    refuse(403, 'exportSizeLimitExceeded', 'This file is too large to be exported.');
  }
  return { status: 200, headers: { 'content-type': mimeType }, body: content };
}

function permissionsOf(state: DriveState, request: PlatformRequest, id: string): readonly DrivePermission[] {
  const members = state.driveMembers.get(id) ?? [];
  if (isAdministrator(state, request)) {
    return state.model.drives.has(id) ? members : refuse(404, 'notFound', `Shared drive not found: ${id}`);
  }
  if (seesDrive(state, id)) return members;
  const file = visibleFile(state, id, request);
  if (state.viewer?.seesPermissions(file) === false) {
    refuse(403, 'insufficientFilePermissions', 'The user does not have sufficient permissions for this file.');
  }
  // Members of a shared drive can read its files.
  const inherited = file.driveId === undefined ? [] : (state.driveMembers.get(file.driveId) ?? []);
  return [...inherited, ...file.permissions];
}

export function listPermissions(state: DriveState, request: PlatformRequest, id: string): PlatformResponse {
  checkParameters(request, ['supportsAllDrives', 'pageSize', 'pageToken', 'useDomainAdminAccess']);
  const byId = new Map(permissionsOf(state, request, id).map((permission) => [permission.id, permission]));
  const { page, ...next } = pageOf(state, request, `permissions ${id}`, [...byId.keys()], 100);
  const permissions = page.map((key) => ({ kind: 'drive#permission', ...byId.get(key) }));
  return selected(request, { permissions, ...next }, 'nextPageToken,permissions(id,type,kind,role)');
}

export function startPageToken(state: DriveState, request: PlatformRequest): PlatformResponse {
  checkParameters(request, ['supportsAllDrives', 'driveId']);
  const log = request.query.get('driveId') ?? 'user';
  if (log !== 'user' && !seesDrive(state, log)) refuse(404, 'notFound', `Shared drive not found: ${log}`);
  return selected(request, { startPageToken: `${state.model.changes.length}` }, 'startPageToken');
}

export function listChanges(state: DriveState, request: PlatformRequest, origin: string): PlatformResponse {
  const known = ['pageToken', 'pageSize', 'includeRemoved', 'includeCorpusRemovals', 'driveId', 'spaces'];
  checkParameters(request, [...known, ...ALL_DRIVES, 'restrictToMyDrive']);
  const { query } = request;
  const from = Number(query.get('pageToken') ?? refuse(400, 'required', 'Required parameter: pageToken'));
  const log = query.get('driveId') ?? 'user';
  const { changes, files, drives } = state.model;
  if (!Number.isInteger(from) || from > changes.length) refuse(400, 'invalid', 'Invalid Value');
  if (from < state.oldestChange) refuse(410, 'fullSyncRequired', 'The page token is no longer valid.');
  if (log !== 'user' && !drives.has(log)) refuse(404, 'notFound', `Shared drive not found: ${log}`);
  const until = Math.min(from + Math.min(readPageSize(request, 1_000), state.pageSize), changes.length);
  const page = changes.slice(from, until).filter((change) => change.log === log);
  const shown = page.map(({ fileId, isDrive = false }) => {
    if (isDrive) {
      return { kind: 'drive#change', changeType: 'drive', driveId: fileId, removed: !drives.has(fileId) };
    }
    const file = files.get(fileId);
    const here = file !== undefined && (file.driveId ?? 'user') === log;
    const resource = file === undefined || !here ? {} : { file: fileResource(file, origin) };
    return { kind: 'drive#change', changeType: 'file', fileId, removed: !here, ...resource };
  });
  const next = until < changes.length ? { nextPageToken: `${until}` } : { newStartPageToken: `${until}` };
  return selected(request, { changes: shown, ...next }, 'nextPageToken,newStartPageToken,changes');
}
