import { z } from 'zod';
import { anyObject, text, wireSchemas } from '#fields';
import { refTo } from '#openapi/components';

/** Why an entry of a batch failed; null for other entries. */
export const batchError = (description: string) =>
  z
    .object({
      code: text('The error code, as in the response to a single request.', 'invalid_request'),
      message: text('What failed and what to do.', 'title: is required'),
      details: anyObject
        .optional()
        .meta({ description: 'Details about the error: `issues` lists the invalid fields.' }),
    })
    .register(wireSchemas, { schema: refTo('ApiError') })
    .nullable()
    .meta({ description });
