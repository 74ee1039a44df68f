import * as appsV1 from 'kubernetes-models/apps/v1';
import * as autoscalingV2 from 'kubernetes-models/autoscaling/v2';
import * as batchV1 from 'kubernetes-models/batch/v1';
import * as networkingV1 from 'kubernetes-models/networking.k8s.io/v1';
import * as policyV1 from 'kubernetes-models/policy/v1';
import * as v1 from 'kubernetes-models/v1';
import type { Manifest } from './manifests.ts';

const KINDS = {
  v1,
  'apps/v1': appsV1,
  'autoscaling/v2': autoscalingV2,
  'batch/v1': batchV1,
  'networking.k8s.io/v1': networkingV1,
  'policy/v1': policyV1,
};

/** Validates a manifest with the schema of Kubernetes. Throws for errors and unknown kinds. */
export function validate(manifest: Manifest): void {
  const group: object | undefined = KINDS[manifest.apiVersion as keyof typeof KINDS];
  const Model = group && Reflect.get(group, manifest.kind);
  if (typeof Model !== 'function') throw new Error(`Unknown kind: ${manifest.apiVersion} ${manifest.kind}`);
  new Model(manifest).validate();
}
