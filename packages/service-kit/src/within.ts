import { AppError } from './errors/app-error.ts';

/** What `work` comes to; rejects with `timeout` once it takes longer than so many milliseconds, and aborts its signal then. */
export async function within<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const ending = new AbortController();
  const timer = setTimeout(() => {
    const reason = new AppError('timeout', `It took longer than ${timeoutMs} ms.`);
    ending.abort(reason);
    late.reject(reason);
  }, timeoutMs);
  try {
    return await Promise.race([work(ending.signal), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
