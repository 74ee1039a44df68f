/** Waits for work. Rejects with the created error if it takes too long; the work itself continues. */
export async function withDeadline<T>(work: PromiseLike<T>, timeoutMs: number, createError: () => Error): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(createError()), timeoutMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
