import { z } from 'zod';
import { idParam } from '#http/path-params';

/** The parameters of a path that names a memory. */
export const memoryParams = z.object({ id: idParam('agent'), memoryId: idParam('memory') });
