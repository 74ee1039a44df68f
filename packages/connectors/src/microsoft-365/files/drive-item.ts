import { z } from 'zod';
import type { SourceRef } from '#source';

const Person = z.object({ user: z.object({ displayName: z.string().optional() }).optional() });
/** A facet shows what an item is; most of its fields do not matter. */
const Facet = z.looseObject({});

/** https://learn.microsoft.com/en-us/graph/api/resources/driveitem */
export const DriveItem = z.object({
  id: z.string().min(1),
  // Deleted items have none.
  name: z.string().optional(),
  eTag: z.string().optional(),
  size: z.number().optional(),
  webUrl: z.string().optional(),
  createdDateTime: z.string().optional(),
  lastModifiedDateTime: z.string().optional(),
  fileSystemInfo: z.object({ lastModifiedDateTime: z.string().optional() }).optional(),
  createdBy: Person.optional(),
  lastModifiedBy: Person.optional(),
  parentReference: z.object({ id: z.string().optional(), path: z.string().optional() }).optional(),
  file: z.looseObject({ mimeType: z.string().optional() }).optional(),
  folder: Facet.optional(),
  root: Facet.optional(),
  package: Facet.optional(),
  remoteItem: Facet.optional(),
  deleted: Facet.optional(),
  '@microsoft.graph.downloadUrl': z.string().optional(),
});
export type DriveItem = z.infer<typeof DriveItem>;

/** The fields to request of items in lists. */
export const ITEM_FIELDS =
  'id,name,eTag,size,webUrl,createdDateTime,lastModifiedDateTime,fileSystemInfo,createdBy,lastModifiedBy,parentReference,file,folder,root,package,remoteItem,deleted';

/** Item ids are unique within a drive. Neither id contains a slash. */
export const itemId = (driveId: string, id: string): string => `${driveId}/${id}`;

/** Parses the id of an item; undefined if it cannot be one. */
export function parseItemId(id: string): { readonly driveId: string; readonly id: string } | undefined {
  const [, driveId, item] = /^([A-Za-z0-9!._-]+)\/([A-Za-z0-9!._-]+)$/.exec(id) ?? [];
  return driveId === undefined || item === undefined ? undefined : { driveId, id: item };
}

/**
 * Returns false for folders, notebooks (packages), shortcuts to other drives, and deleted files.
 */
export const isFile = (item: DriveItem): boolean =>
  [item.folder, item.root, item.package, item.remoteItem, item.deleted].every((facet) => facet === undefined) &&
  item.file !== undefined;

/**
 * Converts a file to an item. The eTag changes with the content and the metadata. Lists omit the
 * cTag, which changes with the content only.
 */
export function refOfItem(driveId: string, item: DriveItem, path: string): SourceRef {
  const { name = item.id, eTag, size } = item;
  const updatedAt = item.fileSystemInfo?.lastModifiedDateTime ?? item.lastModifiedDateTime;
  const version = eTag?.replaceAll('"', '') ?? `${item.lastModifiedDateTime ?? ''}-${size ?? ''}`;
  return {
    id: itemId(driveId, item.id),
    path,
    title: name,
    version,
    url: item.webUrl,
    author: item.createdBy?.user?.displayName ?? item.lastModifiedBy?.user?.displayName,
    sizeBytes: size,
    mimeType: item.file?.mimeType,
    updatedAt,
  };
}
