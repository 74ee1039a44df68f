import { invalidRequest } from '@lectern/service-kit';

/** Limits the time for a body. Throws `invalid_request` if it is late. */
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
