/** One official release of nats-server: its version and the SHA-256 of the archive for each platform. */
export type NatsRelease = { readonly version: string; readonly sha256: Readonly<Record<string, string>> };

/** Where the releases are published. */
export const RELEASES_URL = 'https://github.com/nats-io/nats-server/releases/download';

/** The release that is fetched when the machine has no nats-server; the sums are those of the release's SHA256SUMS. */
export const PINNED_RELEASE: NatsRelease = {
  version: '2.11.8',
  sha256: {
    'linux-amd64': '397a6deffb5533e160de0cca322bc3dcaec7fb7282d66a3dfa87a9c183152ad1',
    'linux-arm64': 'b08936cb1dc0ae7086137bda14c352df64397c4af45ed2b392705c19585aeb84',
    'darwin-amd64': '002c943c1ed39c55cc5e024debfc02685111fcb2b1cbd887aad39ac977037477',
    'darwin-arm64': '23e0c5354c2da385708946a21900c944fcb9a3bbfd02aae27a4ae750dea0b682',
  },
};

/** This machine in the releases' words, such as `linux-amd64`. */
export function releasePlatform(): string {
  return `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
}
