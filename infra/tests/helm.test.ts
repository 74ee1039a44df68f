import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { describeIf } from '@lectern/testing/skip';
import { parse } from 'yaml';
import { documentsOf, type Manifest, render } from './support/manifests.ts';
import { validate } from './support/schema.ts';
import { ROOT, SERVICES, settingsOf } from './support/service-settings.ts';

const CHART = join(ROOT, 'infra/helm/lectern');
const PROD = join(CHART, 'ci/prod-values.yaml');
const read = (path: string): string => readFileSync(join(CHART, path), 'utf8');

/** Runs helm. Returns undefined if it is not installed. */
function helm(...args: readonly string[]): string | undefined {
  try {
    return execFileSync('helm', args, { encoding: 'utf8', stdio: 'pipe', timeout: 60_000 });
  } catch (error) {
    if (typeof error === 'object' && error !== null && Reflect.get(error, 'code') === 'ENOENT') return undefined;
    throw error;
  }
}

const version = helm('version', '--short');
const kustomized = render('prod');
const template = (...files: readonly string[]): Manifest[] => {
  const values = files.flatMap((file) => ['--values', file]);
  return documentsOf(helm('template', 'lectern', CHART, '--namespace', 'lectern', ...values) ?? '');
};

/** Returns the kinds of the manifests that scale a service. */
const autoscalersOf = (manifests: readonly Manifest[], name: string): string[] =>
  manifests.filter(({ spec }) => spec?.scaleTargetRef?.name === name).map(({ kind }) => kind);
const connectorOf = (manifests: readonly Manifest[]): Manifest =>
  manifests.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'connector');

const folder = mkdtempSync(join(tmpdir(), 'lectern-helm-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const valuesFile = (name: string, values: object): string => {
  const path = join(folder, `${name}.yaml`);
  writeFileSync(path, JSON.stringify(values));
  return path;
};

const isHelms = (key: string) => key.startsWith('helm.sh/') || key === 'app.kubernetes.io/managed-by';
const without = (object: object | undefined, drop: (key: string, value: unknown) => boolean) =>
  Object.fromEntries(Object.entries(object ?? {}).filter(([key, value]) => !drop(key, value)));

/**
 * Returns a manifest without what only Helm adds and without what the overlay spells out: empty
 * settings, and defaults of Kubernetes.
 */
function comparable(manifest: Manifest): Manifest {
  const { kind, metadata, data, spec, ...rest } = structuredClone(manifest);
  const annotations = without(metadata.annotations, isHelms);
  const template = spec?.template;
  if (template?.metadata?.annotations)
    template.metadata.annotations = without(template.metadata.annotations, (key) => key.startsWith('checksum/'));
  for (const container of template?.spec?.containers ?? []) delete container.imagePullPolicy;
  if (kind === 'NetworkPolicy') {
    // The order of rules and of the peers in them has no meaning.
    const sorted = (list: unknown[] | undefined) => list?.map((one) => JSON.stringify(one)).sort();
    const rules = (list: Manifest[] | undefined) =>
      sorted(list?.map(({ ports, from }) => ({ ports, from: sorted(from) })));
    spec.ingress = rules(spec.ingress);
    spec.egress = sorted(spec.egress?.map(({ ports, to }: Manifest) => ({ ports, to })));
  }
  if (template?.spec?.containers?.[0].env)
    template.spec.containers[0].env.sort((a: Manifest, b: Manifest) => a.name.localeCompare(b.name));
  return {
    ...rest,
    kind,
    spec,
    data: data && without(data, (_, value) => value === ''),
    metadata: {
      ...metadata,
      labels: without(metadata.labels, isHelms),
      annotations: Object.keys(annotations).length > 0 ? annotations : undefined,
    },
  };
}

const byName = (manifests: readonly Manifest[]) =>
  Object.fromEntries(
    manifests
      .filter(({ kind }) => kind !== 'Namespace')
      .map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, comparable(manifest)]),
  );

describe('the chart', () => {
  const chart = parse(read('Chart.yaml'));

  it('has the version of the release', () => {
    const { version: released } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(chart).toMatchObject({ apiVersion: 'v2', version: released, appVersion: released });
  });

  it('describes each of its values in the schema, and accepts no others', () => {
    const schema = JSON.parse(read('values.schema.json'));
    const undescribed = (values: Manifest, part: Manifest, path: string): string[] => {
      const target = part?.$ref ? schema.definitions[part.$ref.split('/').at(-1)] : part;
      if (target?.properties === undefined) return [];
      if (target.additionalProperties !== false) return [`${path} accepts any value`];
      return Object.entries(values).flatMap(([key, value]) =>
        target.properties[key] === undefined
          ? [`${path}.${key}`]
          : undescribed(value, target.properties[key], `${path}.${key}`),
      );
    };
    expect(undescribed(parse(read('values.yaml')), schema, 'values')).toEqual([]);
    expect(undescribed(parse(read('ci/prod-values.yaml')), schema, 'values')).toEqual([]);
  });

  it('sets only settings that the services read', () => {
    const { services, engines } = parse(read('values.yaml'));
    for (const service of SERVICES)
      for (const name of Object.keys(services[service].settings)) expect(settingsOf(service)).toContain(name);
    for (const name of Object.keys(engines.qdrant.collections)) {
      expect(settingsOf('collection')).toContain(name);
      expect(settingsOf('agent')).toContain(name);
    }
  });

  it('has templates whose blocks are closed', () => {
    for (const file of readdirSync(join(CHART, 'templates'))) {
      const text = read(`templates/${file}`);
      const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
      expect(count(/\{\{-? *(if|range|with|define)\b/g)).toBe(count(/\{\{-? *end\b/g));
    }
  });
});

describeIf(version !== undefined, 'helm is not installed')('the chart, rendered by helm', () => {
  it('passes helm lint', () => {
    expect(helm('lint', '--strict', CHART, '--values', PROD)).toContain('0 chart(s) failed');
  });

  it('is valid for Kubernetes', () => {
    for (const manifest of template(PROD)) validate(manifest);
  });

  it('rejects invalid values', () => {
    const values = valuesFile('invalid', { engines: { qdrant: { url: 'qdrant:6333' } } });
    expect(() => template(values)).toThrow(/url/);
  });

  it('scales indexing by its queue with KEDA', () => {
    const manifests = template(PROD, valuesFile('keda', { autoscaling: { keda: { enabled: true } } }));
    expect(autoscalersOf(manifests, 'search')).toEqual(['HorizontalPodAutoscaler']);
    expect(autoscalersOf(manifests, 'collection')).toEqual(['ScaledObject']);
    const scaled = manifests.find(({ kind, metadata }) => kind === 'ScaledObject' && metadata.name === 'collection');
    expect(scaled.spec.triggers).toMatchObject([
      { type: 'prometheus', metadata: { query: expect.stringContaining('queue="document-index"'), threshold: '1000' } },
      { type: 'cpu' },
    ]);
  });

  it.each([false, true])('keeps files on a volume of one pod if there is no bucket (KEDA: %s)', (enabled) => {
    const values = { files: { volumeClaim: 'blobs' }, autoscaling: { keda: { enabled } } };
    const manifests = template(valuesFile(`volume-${enabled}`, values));
    const { spec } = connectorOf(manifests);
    expect(spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
    expect(spec.template.spec.volumes).toContainEqual({
      name: 'blobs',
      persistentVolumeClaim: { claimName: 'blobs' },
    });
    expect(spec.template.spec.containers[0].volumeMounts).toContainEqual({ name: 'blobs', mountPath: '/data' });
    expect(autoscalersOf(manifests, 'connector')).toEqual([]);
    expect(autoscalersOf(manifests, 'collection')).toHaveLength(1);
    for (const manifest of manifests) if (manifest.kind !== 'ScaledObject') validate(manifest);
  });

  it('keeps files in the bucket if there is also a volume', () => {
    const manifests = template(PROD, valuesFile('both', { files: { volumeClaim: 'blobs' } }));
    expect(connectorOf(manifests).spec.template.spec.volumes.map(({ name }: Manifest) => name)).toEqual(['tmp']);
    expect(autoscalersOf(manifests, 'connector')).toEqual(['HorizontalPodAutoscaler']);
  });

  it('is not rendered without a place for files', () => {
    expect(() => template()).toThrow(/files\.bucket and files\.volumeClaim are empty/);
  });
});

describeIf(version !== undefined && kustomized !== undefined, 'helm or kubectl is not installed')(
  'the chart with the values of prod',
  () => {
    it('renders the manifests of the overlay prod', () => {
      expect(byName(template(PROD))).toEqual(byName(kustomized ?? []));
    });
  },
);
