import type { AppError } from '@lectern/service-kit';
import type { StreamEvent } from '#http/api-response';

/** How the events of a stream and its error are written. */
export interface StreamFormat {
  readonly event: (event: StreamEvent) => string;
  readonly error: (error: AppError, requestId: string) => string;
}
