import type { RequestHandler } from 'express';

const LIMIT = 'X-RateLimit-Limit';

/** Repeats the limit headers under the names that OpenAI's clients read. */
export const openAiRateHeaders: RequestHandler = (_request, response, next) => {
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) => {
    setHeader(name, value);
    if (name === LIMIT) setHeader('x-ratelimit-limit-requests', value);
    if (name === 'X-RateLimit-Remaining') setHeader('x-ratelimit-remaining-requests', value);
    if (name === 'X-RateLimit-Reset') {
      const seconds = Math.max(0, Math.ceil(Number(value) - Date.now() / 1000));
      setHeader('x-ratelimit-reset-requests', `${seconds}s`);
    }
    return response;
  };
  next();
};
