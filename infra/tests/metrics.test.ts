import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { Manifest } from './support/manifests.ts';
import { ROOT, SERVICES } from './support/service-settings.ts';

/** Returns the names of all metrics in the code, with the suffixes that Prometheus shows. */
function namesInCode(): Set<string> {
  const names = new Set<string>();
  for (const folder of ['apps', 'packages']) {
    for (const member of readdirSync(join(ROOT, folder))) {
      const source = join(ROOT, folder, member, 'src');
      if (!existsSync(source)) continue;
      const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
      for (const file of files) {
        const text = readFileSync(join(source, file), 'utf8');
        for (const [, kind, name = ''] of text.matchAll(/(createCounter|createDurations|observe)\(\s*'(lectern_\w+)'/g))
          for (const suffix of SUFFIXES[kind as keyof typeof SUFFIXES]) names.add(`${name}${suffix}`);
      }
    }
  }
  return names;
}

const SUFFIXES = {
  createCounter: ['_total'],
  createDurations: ['', '_bucket', '_count', '_sum'],
  observe: [''],
} as const;
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('the dashboard, the alerts and the documentation', () => {
  const names = namesInCode();
  const rules: Manifest[] = parse(read('infra/prometheus/alerts.yml')).groups[0].rules;
  const [job] = parse(read('infra/prometheus/prometheus.yml')).scrape_configs;
  /** The configuration for an external Prometheus in docs/operations.md. */
  const examples: Manifest[] = [...read('docs/operations.md').matchAll(/```yaml\n(.*?)```/gs)].map(([, block = '']) =>
    parse(block),
  );

  it.each(['infra/grafana/dashboards/lectern.json', 'infra/prometheus/alerts.yml', 'docs/operations.md'])(
    '%s uses only existing metrics',
    (path) => {
      const usedNames = new Set(read(path).match(/\blectern_[a-z_]+/g));
      expect(usedNames.size).toBeGreaterThan(5);
      for (const name of usedNames) expect(names).toContain(name);
    },
  );

  it('documents each alert', () => {
    for (const { alert } of rules) expect(read('docs/operations.md')).toContain(alert);
  });

  it('configures Prometheus with the metrics port of every service', () => {
    const { services } = parse(read('docker-compose.yml'), { merge: true });
    for (const name of job.dns_sd_configs[0].names)
      expect(services[name].environment.METRICS_PORT).toBe(String(job.dns_sd_configs[0].port));
    expect(job.dns_sd_configs[0].names).toHaveLength(6);
  });

  it('has an alert for a service without replicas', () => {
    const { expr } = rules.find(({ alert }) => alert === 'ServiceDown');
    const covered = [...expr.matchAll(/absent\(up\{job="lectern", app="(\w+)"\}\)/g)].map(([, name]) => name);
    expect(covered).toEqual(SERVICES);
    expect(covered).toEqual(job.dns_sd_configs[0].names);
  });

  it('uses only existing errors of the vector store', () => {
    const { expr } = rules.find(({ alert }) => alert === 'VectorStoreFails');
    const outcomes: string[] = /outcome=~"([^"]+)"/.exec(expr)?.[1]?.split('|') ?? [];
    expect(outcomes.length).toBeGreaterThan(0);
    const codes = read('packages/contracts/src/error-codes.ts');
    for (const outcome of outcomes) expect(codes).toContain(`  ${outcome}: Status.`);
  });

  it('gives each scrape job the name and label that the alerts use, on one host and in a cluster', () => {
    const inCluster = examples.flatMap((block) => block.scrape_configs ?? []);
    expect(inCluster).toHaveLength(1);
    for (const { job_name, relabel_configs } of [job, ...inCluster]) {
      for (const { expr } of rules)
        for (const [, named] of expr.matchAll(/job="([^"]+)"/g)) expect(job_name).toBe(named);
      expect(relabel_configs).toContainEqual(expect.objectContaining({ target_label: 'app' }));
    }
    expect(examples.some(({ alerting }) => alerting?.alertmanagers.length === 1)).toBe(true);
  });
});
