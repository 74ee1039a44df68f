import { invalidRequest } from '@lectern/service-kit';

/** Waits for a body at most that long, so that a slow client cannot hold a connection. Throws `invalid_request` where it is late. */
export async function withDeadline<T>(body: Promise<T>, timeoutMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(invalidRequest([{ path: 'body', message: `must arrive within ${timeoutMs / 1000} s` }])),
    timeoutMs,
  );
  try {
    return await Promise.race([body, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
