import { z } from 'zod';

const MAX_QUERY = 2_000;

/** What is searched for. */
export const searchQuery = z.string().max(MAX_QUERY).regex(/\S/, 'must not be empty');
