import type { IncomingMessage } from 'node:http';
import { AppError } from '@lectern/service-kit';
import { trace } from '@opentelemetry/api';
import type { Context } from '#context';
import type { KeyedCall, OpenCall, RawRequest } from '#http/operation';
import { authenticate } from '#keys/authenticate';

function teamInPath(params: unknown): unknown {
  return typeof params === 'object' && params !== null ? Reflect.get(params, 'teamId') : undefined;
}

/**
 * Lets a request in: checks its key, whether that kind of key may do this, and that the path's team is the key's. Throws
 * `AppError`.
 */
export async function admit(
  ctx: Context,
  access: 'publishable' | 'secret',
  request: RawRequest & { readonly message: IncomingMessage },
  call: OpenCall,
): Promise<KeyedCall> {
  const { caller, kind } = await authenticate(ctx.keys, request.message.headers);
  trace.getActiveSpan()?.setAttribute('lectern.team_id', caller.teamId);
  if (access === 'secret' && kind === 'publishable') {
    throw new AppError('forbidden', 'A publishable key may not do this. Use the secret key, from a server.');
  }
  const teamId = teamInPath(request.params);
  if (teamId !== undefined && teamId !== caller.teamId) {
    throw new AppError('forbidden', 'This API key belongs to another team.');
  }
  return { ...call, caller, kind };
}
