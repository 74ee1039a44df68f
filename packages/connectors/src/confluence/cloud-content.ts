import { z } from 'zod';
import type { Attachment, Page, PageBody, Space } from '#confluence/confluence-api';
import { Id } from '#confluence/confluence-http';
import { downloadUrl } from '#confluence/content-v1';
import { type Instance, webUrl } from '#confluence/instance-url';

/** Schemas of version 2 of the REST API. https://developer.atlassian.com/cloud/confluence/rest/v2/ */

const Links = z
  .object({ webui: z.string().nullish(), download: z.string().nullish(), base: z.string().nullish() })
  .nullish();
const Version = z.object({ number: z.number(), createdAt: z.string().nullish(), authorId: z.string().nullish() });

export const SpaceV2 = z.object({ id: Id, key: z.string(), status: z.string().nullish() });

export const PageV2 = z.object({
  id: Id,
  status: z.string().nullish(),
  title: z.string(),
  spaceId: Id.nullish(),
  authorId: z.string().nullish(),
  createdAt: z.string().nullish(),
  version: Version,
  body: z.record(z.string(), z.object({ value: z.string() }).nullish()).nullish(),
  labels: z.object({ results: z.array(z.object({ name: z.string() })) }).nullish(),
  _links: Links,
});

export const AttachmentV2 = z.object({
  id: Id,
  status: z.string().nullish(),
  title: z.string(),
  pageId: Id.nullish(),
  mediaType: z.string().nullish(),
  fileSize: z.number().nullish(),
  webuiLink: z.string().nullish(),
  downloadLink: z.string().nullish(),
  createdAt: z.string().nullish(),
  version: Version,
  _links: Links,
});

export const AccountV2 = z.object({
  accountId: z.string(),
  displayName: z.string().nullish(),
  publicName: z.string().nullish(),
  email: z.string().nullish(),
});

export function pageOfV2(instance: Instance, page: z.infer<typeof PageV2>, space: Space, base?: string): Page {
  return {
    id: page.id,
    title: page.title,
    version: page.version.number,
    url: webUrl(instance, page._links?.base ?? base, page._links?.webui ?? undefined),
    updatedAt: page.version.createdAt ?? page.createdAt ?? undefined,
    author: { id: page.version.authorId ?? page.authorId ?? undefined, name: undefined },
    space,
  };
}

export function attachmentOfV2(
  instance: Instance,
  attachment: z.infer<typeof AttachmentV2>,
  pageId: string,
  base?: string,
): Attachment {
  const links = attachment._links;
  const link = attachment.downloadLink ?? links?.download ?? undefined;
  return {
    id: attachment.id,
    title: attachment.title,
    version: attachment.version.number,
    url: webUrl(instance, links?.base ?? base, attachment.webuiLink ?? links?.webui ?? undefined),
    updatedAt: attachment.version.createdAt ?? attachment.createdAt ?? undefined,
    author: { id: attachment.version.authorId ?? undefined, name: undefined },
    pageId,
    mimeType: attachment.mediaType ?? undefined,
    sizeBytes: attachment.fileSize ?? undefined,
    downloadUrl: link === undefined ? undefined : downloadUrl(instance, link),
  };
}

/** Returns the body of a page; undefined if the response has none in this format. */
export function bodyOfV2(response: z.infer<typeof PageV2>, page: Page, form: PageBody['form']): PageBody | undefined {
  const markup = response.body?.[form]?.value;
  if (markup === undefined) return undefined;
  return { page, form, markup, labels: (response.labels?.results ?? []).map((label) => label.name) };
}
