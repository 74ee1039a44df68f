import { z } from 'zod';

/** The address of a server, which can have a path. */
export const serverUrl = (message: string) =>
  z
    .url({ protocol: /^https?$/, error: message })
    .max(2_048)
    .refine((text) => {
      const url = URL.parse(text);
      return url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
    }, 'must not contain a user, password, query or fragment');
