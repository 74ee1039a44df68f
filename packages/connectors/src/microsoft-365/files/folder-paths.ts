import { createCache } from '@lectern/resilience';
import type { ConnectorCall } from '#connector';
import { orNull } from '#http/or-null';
import type { DriveItem } from '#microsoft-365/files/drive-item';
import type { FilesApi } from '#microsoft-365/files/files-api';

const MAX_FOLDERS = 20_000;

const join = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Returns the path of an item in its library, from a response with the path of its parent: single
 * items have one, lists do not. The path is percent-encoded (`/drives/<id>/root:/Folder%201`).
 */
export function pathOfItem({ name = '', root, parentReference }: DriveItem): string {
  if (root !== undefined) return '';
  const parent = parentReference?.path ?? '';
  const at = parent.indexOf('root:');
  const folder = at < 0 ? '' : decode(parent.slice(at + 'root:'.length)).replace(/^\/+/, '');
  return join(folder, name);
}

/** The paths of folders during one listing. Lists contain folders, but no paths. */
export interface FolderPaths {
  /** Notes a folder from a list. */
  note(driveId: string, folder: DriveItem): void;
  /** Returns the path of a file from a list. Undefined if its folder no longer exists. */
  pathOf(call: ConnectorCall, driveId: string, item: DriveItem): Promise<string | undefined>;
}

export function createFolderPaths(api: Pick<FilesApi, 'item'>): FolderPaths {
  const paths = createCache<string, string>({ maxEntries: MAX_FOLDERS });
  const keyOf = (driveId: string, id: string) => `${driveId}/${id}`;

  const note = (driveId: string, { id, name = '', root, parentReference }: DriveItem) => {
    const parent = root === undefined ? paths.get(keyOf(driveId, parentReference?.id ?? '')) : '';
    // It is requested when it is needed.
    if (parent === undefined) return;
    const path = root === undefined ? join(parent, name) : '';
    const before = paths.get(keyOf(driveId, id));
    // The folders in it have other paths too.
    if (before !== undefined && before !== path) paths.clear();
    paths.set(keyOf(driveId, id), path);
  };

  return {
    note,
    pathOf: async (call, driveId, { name = '', parentReference }) => {
      const parentId = parentReference?.id;
      if (parentId === undefined) return name;
      const known = paths.get(keyOf(driveId, parentId));
      if (known !== undefined) return join(known, name);
      const parent = await orNull(api.item(call, driveId, parentId));
      if (parent === null) return undefined;
      const path = pathOfItem(parent);
      paths.set(keyOf(driveId, parentId), path);
      return join(path, name);
    },
  };
}
