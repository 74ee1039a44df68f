import { AppError } from '#errors/app-error';

/** Runs `work` with a timeout. After `timeoutMs`, aborts its signal and rejects with `timeout`. */
export async function within<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const ending = new AbortController();
  const timer = setTimeout(() => {
    const reason = new AppError('timeout', `The operation took longer than ${timeoutMs} ms.`);
    ending.abort(reason);
    late.reject(reason);
  }, timeoutMs);
  try {
    return await Promise.race([work(ending.signal), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
