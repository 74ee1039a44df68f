/** An official release of nats-server: its version and the SHA-256 of each archive by platform. */
export type NatsRelease = { readonly version: string; readonly sha256: Readonly<Record<string, string>> };

/** The location of the releases. */
export const RELEASES_URL = 'https://github.com/nats-io/nats-server/releases/download';

/** The release to download, with the checksums from its SHA256SUMS. */
export const PINNED_RELEASE: NatsRelease = {
  version: '2.11.8',
  sha256: {
    'linux-amd64': '397a6deffb5533e160de0cca322bc3dcaec7fb7282d66a3dfa87a9c183152ad1',
    'linux-arm64': 'b08936cb1dc0ae7086137bda14c352df64397c4af45ed2b392705c19585aeb84',
    'darwin-amd64': '002c943c1ed39c55cc5e024debfc02685111fcb2b1cbd887aad39ac977037477',
    'darwin-arm64': '23e0c5354c2da385708946a21900c944fcb9a3bbfd02aae27a4ae750dea0b682',
  },
};

/** Returns the name of this platform in the releases, for example `linux-amd64`. */
export function releasePlatform(): string {
  return `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
}
