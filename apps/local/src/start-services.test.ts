import { describe, expect, it } from '@jest/globals';
import { readConfig } from '#config';
import { codeFormOf } from '#start-services';

describe('codeFormOf', () => {
  it.each([
    ['bundles', {}],
    ['sources', { METRICS_PORT: '9464' }],
    ['sources', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }],
    ['sources', { LECTERN_DEV: 'true' }],
  ])('is %s with the settings %j', (form, settings) => {
    expect(codeFormOf(readConfig(settings))).toBe(form);
  });
});
