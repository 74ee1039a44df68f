export { createBoundedFetch } from '#bounded-fetch';
export { createEgressGuard, type EgressGuardOptions } from '#create-egress-guard';
export * from '#egress-error';
export * from '#egress-guard';
export type { ResolvedAddress, ResolveHost } from '#egress-policy';
export { type EgressRule, parseEgressAllow } from '#egress-rule';
