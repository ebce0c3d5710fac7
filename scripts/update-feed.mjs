// The update server of a build: what's packaged about it, what electron-builder needs, and the signatures of its lists.
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @param {{ url: string, privateKey: string, changelog: string, version: string }} about `privateKey` is Ed25519, in PEM
 * @returns {{ builtIn: string, adapt: (config: any) => void, sign: (folder: string) => string[] }}
 */
export function readUpdateFeed({ url, privateKey, changelog, version }) {
  const key = createPrivateKey(privateKey)
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The update key must be an Ed25519 key.')
  if (new URL(url).protocol !== 'https:') throw new Error('The update address must start with https.')
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()
  return {
    builtIn: JSON.stringify({ url, publicKey }),
    adapt: (config) => {
      config.publish = { provider: 'generic', url }
      config.releaseInfo = { releaseNotes: notesOf(changelog, version) }
    },
    sign: (folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.yml') && !name.startsWith('builder-'))
        .map((name) => {
          const file = join(folder, `${name}.sig`)
          writeFileSync(file, sign(null, readFileSync(join(folder, name)), key).toString('base64'))
          return file
        }),
  }
}

/** What CHANGELOG.md says about a version, or what's unreleased. Empty if neither is there. */
export function notesOf(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1)
  const section = [version, 'Unreleased']
    .map((name) => sections.find((text) => text.startsWith(`${name}\n`)))
    .find(Boolean)
  return section ? section.slice(section.indexOf('\n')).trim() : ''
}
