import { health } from '@lectern/api-spec';
import { AppError } from '@lectern/service-kit';
import { data } from '#http/api-response';
import { openRoute } from '#pipeline/operation';

export const healthRoutes = [
  openRoute(health.getHealth, async () => data({ status: 'ok' })),

  openRoute(health.getReadiness, async (ctx) => {
    if (ctx.lifecycle.isDraining()) throw new AppError('unavailable', 'The gateway is stopping.');
    const notReady = await ctx.readiness();
    if (notReady.length > 0) {
      throw new AppError('unavailable', `Not ready: ${notReady.join(', ')}.`, { details: { notReady } });
    }
    return data({ status: 'ready' });
  }),
];
