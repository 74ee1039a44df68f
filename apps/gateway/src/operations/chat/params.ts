import { z } from 'zod';
import { idParam } from '#http/path-params';

/** The team of a path; that it is the key's is checked with the key. */
export const teamParams = z.object({ teamId: z.string() });

/** The parameters of a path that names a conversation. */
export const conversationParams = teamParams.extend({ id: idParam('conversation') });
