import { RIGHTS } from '@lectern/api-spec';
import { readConfig } from '#config';
import type { Context } from '#context';
import { startGateway } from '#server';

/**
 * Starts a gateway for the benchmark and prints its port as JSON. In the mode `without`, it admits
 * every request without reading a key or counting a limit. No setting of the real gateway does
 * that.
 */
const [mode, teamId = ''] = process.argv.slice(2);

const admitAll: Context['admit'] = async (_ctx, _operation, _request, _response, call) => {
  const key = {
    pairId: 'key_bench',
    pairName: 'bench',
    teamId,
    kind: 'secret' as const,
    scope: { kind: 'all' as const },
    rights: RIGHTS,
    allowedIps: [],
    allowedHosts: [],
    allowedReferers: [],
    publishableReads: 'public' as const,
    requireSignature: false,
    rateLimitPerMinute: undefined,
    expiresAt: null,
    endsAt: null,
  };
  const caller = { teamId, keyId: key.pairId, scope: key.scope, userEmail: undefined };
  return { ...call, caller, kind: key.kind, key, presentedKey: '' };
};

const gateway = await startGateway(readConfig(process.env), mode === 'without' ? { admit: admitAll } : {});
process.stdout.write(`${JSON.stringify({ port: gateway.port })}\n`);
// Replies to each message with the microseconds of CPU time used so far.
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
process.once('SIGTERM', () => void gateway.stop().then(() => process.exit(0)));
