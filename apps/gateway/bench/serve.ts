import { readConfig } from '#config';
import type { Context } from '#context';
import { startGateway } from '#server';

/**
 * A gateway as it is, or, by `without`, one that lets everybody in: no key is read, no limit counted. Prints its port as JSON. Only the
 * benchmark can have the second one: no setting makes it.
 */
const [mode, teamId = ''] = process.argv.slice(2);

const open: Context['admit'] = async (_ctx, _operation, _request, _response, call) => {
  const key = {
    pairId: 'key_bench',
    pairName: 'bench',
    teamId,
    kind: 'secret' as const,
    scope: { kind: 'all' as const },
    allowedHosts: [],
    allowedReferers: [],
    publishableReads: 'public' as const,
    requireSignature: false,
    rateLimitPerMinute: undefined,
    expiresAt: null,
    endsAt: null,
  };
  const caller = { teamId, keyId: key.pairId, scope: key.scope, userEmail: undefined };
  const client = { address: '127.0.0.1', userAgent: undefined };
  return { ...call, caller, kind: key.kind, key, presentedKey: '', client };
};

const gateway = await startGateway(readConfig(process.env), mode === 'without' ? { admit: open } : {});
process.stdout.write(`${JSON.stringify({ port: gateway.port })}\n`);
// Microseconds of processor time so far, for whoever asks.
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
process.once('SIGTERM', () => void gateway.stop().then(() => process.exit(0)));
