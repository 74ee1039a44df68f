import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { createCache } from '@lectern/resilience';
import type { RequestHandler } from 'express';
import { type SendFile, serveFile } from '#http/serve-file';

/** Asset names contain a hash of the content. */
const FOREVER = 'public, max-age=31536000, immutable';
const NAME = /^[\w-][\w.-]{0,199}$/;

/** Enough for several builds: each build while the gateway runs adds new names. */
const MAX_CACHED = 500;

async function readAsset(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Serves the asset `name` of a folder and caches it. Calls the next router if it does not exist.
 */
export function sendAsset(dir: string): RequestHandler<{ name: string }> {
  const cache = createCache<string, SendFile>({ maxEntries: MAX_CACHED });
  return async (request, response, next) => {
    const { name } = request.params;
    let send = cache.get(name);
    if (send === undefined) {
      const bytes = NAME.test(name) ? await readAsset(join(dir, name)) : undefined;
      if (bytes === undefined) {
        next('router');
        return;
      }
      send = serveFile(bytes);
      cache.set(name, send);
    }
    response.type(extname(name));
    response.setHeader('Cache-Control', FOREVER);
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    await send(request, response);
  };
}
