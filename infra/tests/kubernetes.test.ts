import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { BASE, documentsOf, type Manifest, manifestsIn, OVERLAYS, render } from './support/manifests.ts';
import { validate } from './support/schema.ts';
import { CLOSING_MS, ROOT, SERVICES, settingsOf, TELEMETRY } from './support/service-settings.ts';

const base: Manifest[] = manifestsIn(BASE)
  .map(({ manifest }) => manifest)
  .filter(({ kind }) => kind !== 'Kustomization');
const find = (all: readonly Manifest[], kind: string, name: string): Manifest =>
  all.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
const rendered = OVERLAYS.map((name) => ({ name, manifests: render(name) }));
const sets: { name: string; manifests: Manifest[] }[] = [
  { name: 'base', manifests: base },
  ...rendered.flatMap(({ name, manifests }) => (manifests ? [{ name, manifests }] : [])),
];
const podsOf = (all: readonly Manifest[]) => all.filter(({ spec }) => spec?.template?.spec?.containers);
/** Returns every key of a manifest at any depth. */
const keysOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [...(Array.isArray(value) ? [] : [key]), ...keysOf(inner)])
    : [];
const isSubset = (selector: object, labels: object) =>
  Object.entries(selector).every(([key, value]) => Reflect.get(labels, key) === value);

describe('the kustomizations', () => {
  it.each(['base', 'overlays/dev', 'overlays/prod'])('%s reference existing files', (folder) => {
    const root = join(ROOT, 'infra/k8s', folder);
    const files = manifestsIn(root).filter(({ manifest }) => manifest.kind === 'Kustomization');
    for (const { file, manifest } of files) {
      const paths = [...manifest.resources, ...(manifest.patches ?? []).map(({ path }: { path: string }) => path)];
      for (const path of paths) expect(existsSync(join(root, file, '..', path))).toBe(true);
    }
  });
});

describe.each(OVERLAYS)('the overlay %s', (name) => {
  const root = join(ROOT, 'infra/k8s/overlays', name);
  const inOverlay = manifestsIn(root);
  const ofKind = (kind: string) => inOverlay.map(({ manifest }) => manifest).filter((item) => item.kind === kind);
  const [{ namespace, resources }] = ofKind('Kustomization');

  it('creates its namespace from a file that can be applied first', () => {
    const [namespaceManifest] = inOverlay
      .filter(({ file }) => file === 'namespace.yaml')
      .map(({ manifest }) => manifest);
    validate(namespaceManifest);
    expect(namespaceManifest).toMatchObject({ kind: 'Namespace', metadata: { name: namespace } });
    expect(resources).toContain('namespace.yaml');
    const all = rendered.find((overlay) => overlay.name === name)?.manifests ?? [];
    for (const { kind, metadata } of all)
      expect(kind === 'Namespace' ? metadata.name : metadata.namespace).toBe(namespace);
  });

  it('is documented with its namespace', () => {
    const text = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
    expect(text).toContain(`-n ${namespace} `);
  });
});

describe.each(OVERLAYS)('the patches of %s', (name) => {
  const patches = manifestsIn(join(ROOT, 'infra/k8s/overlays', name));

  it('contain no patch directives, because some tools copy them to the output', () => {
    for (const { manifest } of patches) expect(keysOf(manifest).filter((key) => key.startsWith('$'))).toEqual([]);
  });

  it('remove the rolling update of the base if they use another strategy', () => {
    for (const { manifest } of patches) {
      const strategy = manifest.kind === 'Deployment' ? manifest.spec.strategy : undefined;
      if (strategy?.type === 'Recreate') expect(strategy).toEqual({ type: 'Recreate', rollingUpdate: null });
    }
  });
});

describe.each(sets)('the manifests of $name', ({ name, manifests }) => {
  it('are valid for Kubernetes, with unique names', () => {
    for (const manifest of manifests) validate(manifest);
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('have one update strategy, and no patch directives', () => {
    expect(keysOf(manifests).filter((key) => key.startsWith('$'))).toEqual([]);
    for (const { spec } of manifests.filter(({ kind }) => kind === 'Deployment'))
      if (spec.strategy.type === 'Recreate') expect(spec.strategy).not.toHaveProperty('rollingUpdate');
  });

  it.each(SERVICES)('have all resources of %s, with selectors that match its pods', (service) => {
    const deployment = find(manifests, 'Deployment', service);
    const { labels } = deployment.spec.template.metadata;
    expect(isSubset(deployment.spec.selector.matchLabels, labels)).toBe(true);
    expect(isSubset(find(manifests, 'Service', service).spec.selector, labels)).toBe(true);
    for (const kind of ['PodDisruptionBudget', 'NetworkPolicy']) {
      const { selector, podSelector } = find(manifests, kind, service).spec;
      expect(isSubset((selector ?? podSelector).matchLabels, labels)).toBe(true);
    }
    expect(find(manifests, 'HorizontalPodAutoscaler', service).spec.scaleTargetRef).toMatchObject({
      kind: 'Deployment',
      name: service,
    });
    for (const { labelSelector } of deployment.spec.template.spec.topologySpreadConstraints)
      expect(isSubset(labelSelector.matchLabels, labels)).toBe(true);
    expect(find(manifests, 'ServiceAccount', service).automountServiceAccountToken).toBe(false);
    // The autoscaler sets the replicas. A number here would override it at each apply.
    expect(deployment.spec.replicas).toBeUndefined();
  });

  it.each(SERVICES)('give %s more time to stop than its preStop pause and its timeout for requests', (service) => {
    const { terminationGracePeriodSeconds, containers } = find(manifests, 'Deployment', service).spec.template.spec;
    const { DRAIN_MS = 0, SHUTDOWN_TIMEOUT_MS } = find(manifests, 'ConfigMap', `${service}-config`).data;
    const pauseMs = containers[0].lifecycle.preStop.sleep.seconds * 1000;
    const shutdownMs = pauseMs + Number(DRAIN_MS) + Number(SHUTDOWN_TIMEOUT_MS);
    expect(terminationGracePeriodSeconds * 1000).toBeGreaterThanOrEqual(shutdownMs + CLOSING_MS);
  });

  it('use ports that the containers expose', () => {
    for (const { spec } of manifests.filter(({ kind, metadata }) => kind === 'Service' && metadata.name)) {
      const pod = podsOf(manifests).find((item) => isSubset(spec.selector, item.spec.template.metadata.labels));
      const ports = new Set(pod.spec.template.spec.containers[0].ports.map(({ name: port }: Manifest) => port));
      for (const { targetPort } of spec.ports) expect(ports).toContain(targetPort);
    }
    const { backend } = find(manifests, 'Ingress', 'lectern').spec.rules[0].http.paths[0];
    expect(find(manifests, 'Service', backend.service.name).spec.ports[0].name).toBe(backend.service.port.name);
    for (const service of SERVICES.filter((item) => item !== 'gateway')) {
      const container = find(manifests, 'Deployment', service).spec.template.spec.containers[0];
      const [{ containerPort }] = container.ports;
      expect(container.readinessProbe.grpc.port).toBe(containerPort);
      expect(find(manifests, 'Service', service).spec).toMatchObject({
        clusterIP: 'None',
        ports: [{ port: containerPort }],
      });
    }
  });

  it('use existing config maps, and one secret', () => {
    for (const pod of podsOf(manifests)) {
      for (const container of pod.spec.template.spec.containers) {
        for (const { configMapRef } of container.envFrom ?? [])
          expect(find(manifests, 'ConfigMap', configMapRef.name)).toBeDefined();
        for (const { valueFrom } of container.env ?? [])
          if (valueFrom) expect(valueFrom.secretKeyRef.name).toBe('lectern-secrets');
      }
    }
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
  });

  it.each(SERVICES)('pass to %s exactly the settings that it reads', (service) => {
    const container = find(manifests, 'Deployment', service).spec.template.spec.containers[0];
    const maps = container.envFrom.map(({ configMapRef }: Manifest) => find(manifests, 'ConfigMap', configMapRef.name));
    const names = [
      ...maps.flatMap(({ data }: Manifest) => Object.keys(data)),
      ...container.env.map(({ name: setting }: Manifest) => setting),
    ].filter((setting) => !TELEMETRY.some((prefix) => setting.startsWith(prefix)));
    expect(new Set(names).size).toBe(names.length);
    // HOST is not set, because its default is correct.
    expect(new Set([...names, ...(service === 'gateway' ? ['HOST'] : [])])).toEqual(settingsOf(service));
  });

  it.each(SERVICES)('give %s separate users for PostgreSQL and NATS, and the key that signs calls', (service) => {
    const { env } = find(manifests, 'Deployment', service).spec.template.spec.containers[0];
    const keyOf = (setting: string) =>
      env.find(({ name: candidate }: Manifest) => candidate === setting)?.valueFrom.secretKeyRef.key;
    const suffix = service.toUpperCase();
    expect(keyOf('LECTERN_INTERNAL_KEYS')).toBe('LECTERN_INTERNAL_KEYS');
    for (const setting of ['DATABASE_URL', 'NATS_URL'])
      expect(keyOf(setting)).toBe(settingsOf(service).has(setting) ? `${setting}_${suffix}` : undefined);
  });

  it('allow calls to each service only from its clients', () => {
    for (const service of SERVICES.filter((item) => item !== 'gateway')) {
      const [calls] = find(manifests, 'NetworkPolicy', service).spec.ingress;
      const allowed = calls.from.map(({ podSelector }: Manifest) => podSelector.matchLabels['app.kubernetes.io/name']);
      const setting = `${service.toUpperCase()}_ADDRESS`;
      const callers = SERVICES.filter((caller) => settingsOf(caller).has(setting));
      expect(new Set(allowed)).toEqual(new Set(callers));
      for (const caller of callers) {
        const address = find(manifests, 'ConfigMap', `${caller}-config`).data[setting];
        const port = find(manifests, 'Service', service).spec.ports[0].port;
        expect(address).toBe(`dns:///${service}:${port}`);
        const to = find(manifests, 'NetworkPolicy', caller).spec.egress.filter(
          ({ to: peers }: Manifest) => peers?.[0]?.podSelector?.matchLabels['app.kubernetes.io/name'] === service,
        );
        expect(to).toMatchObject([{ ports: [{ port }] }]);
      }
    }
  });

  it('run without privileges: no root, read-only root file systems, no capabilities, limited memory', () => {
    const lecternPods = podsOf(manifests).filter((pod) => {
      const component = pod.spec.template.metadata.labels['app.kubernetes.io/component'];
      return component === 'service' || component === 'migrate';
    });
    expect(lecternPods).toHaveLength(11);
    for (const pod of lecternPods) {
      const { spec } = pod.spec.template;
      expect(spec).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
      expect(find(manifests, 'ServiceAccount', spec.serviceAccountName)).toBeDefined();
      for (const container of spec.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(Object.keys(container.resources.requests).sort()).toEqual(['cpu', 'memory']);
        expect(container.resources.limits.memory).toBeDefined();
        expect(container.image).toMatch(/lectern[/-](gateway|search|chat|agent|collection|connector)(:|$)/);
      }
    }
  });

  it('pass the Pod Security level restricted, with read-only root file systems', () => {
    for (const pod of podsOf(manifests)) {
      const { securityContext, containers, initContainers = [], volumes = [] } = pod.spec.template.spec;
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(securityContext.runAsUser).toBeGreaterThan(0);
      for (const container of [...containers, ...initContainers])
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      for (const { name: _, ...source } of volumes)
        expect(['emptyDir', 'configMap', 'persistentVolumeClaim']).toContain(Object.keys(source)[0]);
    }
    for (const { metadata } of manifests.filter(({ kind }) => kind === 'Namespace'))
      expect(metadata.labels['pod-security.kubernetes.io/enforce']).toBe('restricted');
  });

  it('migrate the schema of each service with the image that contains the migrations', () => {
    const jobs = manifests.filter(
      ({ kind, metadata }) => kind === 'Job' && metadata.labels['app.kubernetes.io/component'] === 'migrate',
    );
    const withMigrations = SERVICES.filter((service) => existsSync(join(ROOT, `apps/${service}/prisma/migrations`)));
    expect(jobs.map(({ metadata }) => metadata.name).sort()).toEqual(
      withMigrations.map((item) => `migrate-${item}`).sort(),
    );
    for (const job of jobs) {
      const [{ command, image, env }] = job.spec.template.spec.containers;
      const schema = command.at(-1);
      expect(job.metadata.name).toBe(`migrate-${schema}`);
      expect(env[0].valueFrom.secretKeyRef.key).toBe(`DATABASE_URL_${schema.toUpperCase()}`);
      expect(image).toContain(`lectern${name === 'prod' ? '-' : '/'}${schema}`);
      expect(existsSync(join(ROOT, 'apps', schema, command[1]))).toBe(true);
      expect(readFileSync(join(ROOT, 'apps', schema, 'src/context.ts'), 'utf8')).toMatch(
        new RegExp(`SCHEMA = '${schema}'`),
      );
    }
  });
});

describe('the component keda', () => {
  const scaled = manifestsIn(join(ROOT, 'infra/k8s/components/keda'))
    .map(({ manifest }) => manifest)
    .filter(({ kind }) => kind === 'ScaledObject');

  it('takes over the autoscalers of the services that have queues', () => {
    expect(scaled.map(({ metadata }) => metadata.name)).toEqual(['collection', 'connector']);
    for (const { metadata, spec } of scaled) {
      const { spec: before } = find(base, 'HorizontalPodAutoscaler', metadata.name);
      expect(spec).toMatchObject({
        scaleTargetRef: before.scaleTargetRef,
        minReplicaCount: before.minReplicas,
        maxReplicaCount: before.maxReplicas,
        advanced: { horizontalPodAutoscalerConfig: { name: metadata.name, behavior: before.behavior } },
      });
      expect(spec.triggers[0].metadata.query).toContain('lectern_queue_pending_messages');
    }
  });
});

describe('the schemas', () => {
  it('reject an invalid manifest', () => {
    const [invalid] = documentsOf(
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: x }\nspec: { replicas: many }\n',
    );
    expect(() => validate(invalid)).toThrow(/replicas/);
  });
});
