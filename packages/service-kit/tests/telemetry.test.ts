import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const UNUSED_ADDRESS = 'http://127.0.0.1:9';
const TIMEOUT_MS = 60_000;

/** Runs Node with these arguments and returns its output. */
async function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const options = {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      LECTERN_INTERNAL_KEYS: process.env.LECTERN_INTERNAL_KEYS,
      ...env,
    },
    timeout: TIMEOUT_MS,
  };
  return (await promisify(execFile)(process.execPath, [...args], options)).stdout;
}

async function record(env: Readonly<Record<string, string>> = {}) {
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: UNUSED_ADDRESS,
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'none',
    ...env,
  };
  return JSON.parse(await run([path('./fixtures/print-metrics.ts')], settings));
}

describe('metrics', () => {
  it('are served as OpenMetrics with exemplars if the client accepts it', async () => {
    const { open, traceId, elsewhere } = await record();
    expect(elsewhere).toBe(404);
    expect(open.type).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    const lines: string[] = open.text.split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        '# HELP lectern_test_duration_seconds Of a \\"test\\"',
        '# TYPE lectern_test_duration_seconds histogram',
        'lectern_test_duration_seconds_bucket{operation="a\\"b",le="0.25"} 0',
        'lectern_test_duration_seconds_bucket{operation="a\\"b",le="1.0"} 1',
        'lectern_test_duration_seconds_bucket{operation="a\\"b",le="+Inf"} 2',
        'lectern_test_duration_seconds_count{operation="a\\"b"} 2',
        'lectern_test_duration_seconds_sum{operation="a\\"b"} 200.3',
        '# TYPE lectern_cache_lookups counter',
        'lectern_cache_lookups_total{cache="test",outcome="hit"} 1',
        '# TYPE lectern_test_messages gauge',
        'lectern_test_messages 3',
      ]),
    );
    expect(open.text.endsWith('\n# EOF\n')).toBe(true);
    const exemplars = lines.filter((line) => line.includes(' # '));
    expect(exemplars).toHaveLength(1);
    const bucket = 'lectern_test_duration_seconds_bucket{operation="a\\"b",le="0.5"} 1';
    expect(exemplars[0]?.slice(0, bucket.length)).toBe(bucket);
    expect(exemplars[0]?.slice(bucket.length)).toMatch(
      new RegExp(` # \\{trace_id="${traceId}",span_id="[0-9a-f]{16}"\\} 0\\.3 \\d+\\.\\d{3}$`),
    );
  });

  it('are served to other clients as Prometheus text without exemplars', async () => {
    const { plain } = await record();
    expect(plain.type).toBe('text/plain');
    expect(plain.text).toContain('lectern_cache_lookups_total{cache="test",outcome="miss"} 1');
    expect(plain.text).not.toContain('trace_id');
  });

  it('have no exemplar of an unsampled trace', async () => {
    const { open } = await record({ OTEL_TRACES_SAMPLER: 'always_off' });
    expect(open.text).toContain('lectern_test_duration_seconds_count');
    expect(open.text).not.toContain('trace_id');
  });
});

describe('observe', () => {
  it('exports NaN after a failure or a timeout', async () => {
    const { success, failed, silent, plain, otlp } = JSON.parse(await run([path('./fixtures/failing-metrics.ts')], {}));
    expect(success).toContain('lectern_test_waiting{queue="a"} 3\n');
    for (const text of [failed, silent, plain]) expect(text).toContain('lectern_test_waiting{queue="a"} NaN\n');
    // NumberDataPoint.as_double (opentelemetry/proto/metrics/v1): field 4, 64 bits.
    expect(otlp).toContain('21000000000000f87f');
  });
});

describe('dependencies', () => {
  it('are up if they respond, and down if they fail or time out', async () => {
    const { success } = JSON.parse(await run([path('./fixtures/failing-metrics.ts')], {}));
    expect(success).toContain('lectern_dependency_up{dependency="postgresql"} 1\n');
    expect(success).toContain('lectern_dependency_up{dependency="nats"} 0\n');
    expect(success).toContain('lectern_dependency_up{dependency="qdrant"} 0\n');
  });
});

describe('telemetry', () => {
  const LOADED = `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
    process.on('exit', () => process.stdout.write(loaded.join('\\n')));`)}`;
  const start = ['--import', LOADED, '--import', path('../src/tracing/register.ts')];
  const service = ['--input-type=module', '-e', `await import(${JSON.stringify(path('../src/index.ts'))})`];
  const kit = /@opentelemetry\/(sdk|exporter|instrumentation|otlp)|import-in-the-middle/;

  it('loads only the no-op API if it is off', async () => {
    const loaded = await run([...start, ...service], {});
    expect(loaded).toContain('service-kit/src/index.ts');
    expect(loaded).not.toMatch(kit);
  });

  it('is loaded if an endpoint is set', async () => {
    expect(await run([...start, '-e', ''], { OTEL_EXPORTER_OTLP_ENDPOINT: UNUSED_ADDRESS })).toMatch(kit);
  });
});
