import { z } from 'zod';
import type { Attachment, Changed, Page } from '#confluence/confluence-api';
import { Id } from '#confluence/confluence-http';
import { atInstance, type Instance, pathOfLink, webUrl } from '#confluence/instance-url';
import type { UserReader } from '#readers/reader';

/**
 * Schemas of version 1 of the REST API: all of Data Center, and searches, restrictions and groups on
 * Cloud.
 */

export const UserV1 = z.object({
  accountId: z.string().nullish(),
  userKey: z.string().nullish(),
  username: z.string().nullish(),
  displayName: z.string().nullish(),
  email: z.string().nullish(),
});

const ContentLinks = z
  .object({ webui: z.string().nullish(), download: z.string().nullish(), base: z.string().nullish() })
  .nullish();

export const ContentV1 = z.object({
  id: Id,
  type: z.string().nullish(),
  status: z.string().nullish(),
  title: z.string(),
  space: z.object({ id: Id.nullish(), key: z.string() }).nullish(),
  version: z.object({ number: z.number(), when: z.string().nullish(), by: UserV1.nullish() }),
  container: z.object({ id: Id.nullish() }).nullish(),
  extensions: z.object({ mediaType: z.string().nullish(), fileSize: z.number().nullish() }).nullish(),
  metadata: z.object({ mediaType: z.string().nullish(), labels: z.unknown().optional() }).nullish(),
  _links: ContentLinks,
});
export type ContentV1 = z.infer<typeof ContentV1>;

export const GroupV1 = z.object({ id: Id.nullish(), name: z.string() });

/** Returns the id of an account: `accountId` on Cloud, `userKey` on Data Center. */
const accountIdOf = (user: z.infer<typeof UserV1>): string | undefined =>
  user.accountId ?? user.userKey ?? user.username ?? undefined;

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/**
 * Returns the email if it is visible. Data Center hides it, but user names are often emails
 * there.
 */
function emailOf(user: z.infer<typeof UserV1>): string | undefined {
  return [user.email, user.username].find((text): text is string => typeof text === 'string' && EMAIL.test(text));
}

export function userReader(user: z.infer<typeof UserV1>): readonly UserReader[] {
  const id = accountIdOf(user);
  return id === undefined ? [] : [{ kind: 'user', id, email: emailOf(user) }];
}

const common = (instance: Instance, content: ContentV1, base: string | undefined) => ({
  id: content.id,
  title: content.title,
  version: content.version.number,
  url: webUrl(instance, content._links?.base ?? base, content._links?.webui ?? undefined),
  updatedAt: content.version.when ?? undefined,
  author: {
    id: content.version.by ? accountIdOf(content.version.by) : undefined,
    name: content.version.by?.displayName ?? undefined,
  },
});

export function pageOfV1(instance: Instance, content: ContentV1, base?: string): Page | undefined {
  const { space } = content;
  if (!space) return undefined;
  return { ...common(instance, content, base), space: { id: space.id ?? space.key, key: space.key } };
}

export function attachmentOfV1(instance: Instance, content: ContentV1, pageId: string, base?: string): Attachment {
  const link = content._links?.download ?? undefined;
  return {
    ...common(instance, content, base),
    pageId,
    mimeType: content.extensions?.mediaType ?? content.metadata?.mediaType ?? undefined,
    sizeBytes: content.extensions?.fileSize ?? undefined,
    downloadUrl: link === undefined ? undefined : downloadUrl(instance, link),
  };
}

export const downloadUrl = (instance: Instance, link: string): URL =>
  new URL(pathOfLink(instance, link, atInstance(instance, '/')), instance.origin);

/**
 * Converts a search result. Returns an empty list unless it is a current page or a file attached to
 * one.
 */
export function changedOfV1(instance: Instance, content: ContentV1, base: string | undefined): readonly Changed[] {
  if ((content.status ?? 'current') !== 'current') return [];
  const page = pageOfV1(instance, content, base);
  if (page === undefined) return [];
  if (content.type === 'page') return [{ kind: 'page', page }];
  const pageId = content.container?.id ?? undefined;
  if (content.type !== 'attachment' || pageId === undefined) return [];
  const attachment = attachmentOfV1(instance, content, pageId, base);
  return [{ kind: 'attachment', attachment, spaceKey: page.space.key }];
}
