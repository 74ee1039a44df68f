import { z } from 'zod';
import { principals } from '#settings/principals';
import { pathPatterns, textList } from '#settings/text-list';

const address = z
  .string()
  .max(1_000)
  .transform((text, context) => {
    const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
    if (url !== null && url.username === '' && url.password === '') return url.href;
    context.addIssue({ code: 'custom', message: 'must be a URL like https://example.com/docs' });
    return z.NEVER;
  });

/** A host name or an address, with a port if it is not the default one. */
const host = z
  .string()
  .max(260)
  .transform((text, context) => {
    const url = /^[^\s/?#@\\]+$/.test(text) ? URL.parse(`https://${text}`) : null;
    if (url !== null) return url.host;
    context.addIssue({ code: 'custom', message: 'must be a host like docs.example.com' });
    return z.NEVER;
  });

const patterns = pathPatterns;

export const DEFAULTS = { maxPages: 1_000, maxDepth: 10, maxPagesPerPattern: 200, delayMs: 500 } as const;

export const webConfig = z
  .strictObject({
    startUrls: textList('URLs').pipe(z.array(address).min(1, 'must contain a URL').max(20)),
    sitemaps: textList('URLs').pipe(z.array(address).max(20)).optional(),
    hosts: textList('hosts').pipe(z.array(host).max(50)).optional(),
    include: patterns.optional(),
    exclude: patterns.optional(),
    maxPages: z.int().min(1).max(10_000).optional(),
    maxDepth: z.int().min(0).max(100).optional(),
    maxPagesPerPattern: z.int().min(1).max(10_000).optional(),
    delayMs: z.int().min(0).max(10_000).optional(),
    principals: principals.optional(),
  })
  .check(({ value, issues }) => {
    const allowed = hostsOf(value);
    for (const [at, text] of (value.sitemaps ?? []).entries()) {
      if (allowed.has(new URL(text).host)) continue;
      const message = 'must be on the host of a start URL; otherwise add its host to hosts';
      issues.push({ code: 'custom', path: ['sitemaps', at], message, input: text });
    }
  });

export type WebConfig = z.output<typeof webConfig>;

/** Returns the hosts that the crawler can request, each with its port if it is not the default one. */
export const hostsOf = ({ startUrls, hosts = [] }: Pick<WebConfig, 'startUrls' | 'hosts'>): ReadonlySet<string> =>
  new Set([...startUrls.map((url) => new URL(url).host), ...hosts]);
