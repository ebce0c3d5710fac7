// Makes a .deb from an unpacked app with Debian's own dpkg-deb, where the tools of electron-builder can't be downloaded.
import { existsSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import installer from 'electron-installer-debian'
import { root } from './setup.mjs'

/**
 * @param {{ unpacked: string, name: string, productName: string, version: string, electronVersion: string, dest: string,
 *   about: string, compression?: 'xz' | 'gzip' }} app `name` is that of the package, the command, and the executable; `version` is the app's own
 * @returns {Promise<string>} path of the .deb
 */
export async function makeDeb({
  unpacked,
  name,
  productName,
  version,
  electronVersion,
  dest,
  about,
  compression = 'xz',
}) {
  const { linux, fileAssociations, protocols } = JSON.parse(readFileSync(join(root, 'electron-builder.json'), 'utf8'))
  const { homepage } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  // The installer reads both next to the executable, where Electron's own archive has them.
  writeFileSync(join(unpacked, 'version'), electronVersion)
  const license = join(unpacked, 'LICENSE.electron.txt')
  if (existsSync(license)) copyFileSync(license, join(unpacked, 'LICENSE'))
  // The program that opens a folder as an app is for development.
  rmSync(join(unpacked, 'resources/default_app.asar'), { force: true })
  mkdirSync(dest, { recursive: true })
  const file = `${name}_${debianVersion(version)}_amd64.deb`
  await installer({
    src: unpacked,
    dest,
    arch: 'amd64',
    rename: () => join(dest, file),
    options: {
      compression,
      ...{ name, productName, bin: name, version: debianVersion(version), homepage, section: 'utils' },
      genericName: 'Planner',
      description: linux.synopsis,
      productDescription: about,
      maintainer: linux.maintainer,
      categories: [linux.category],
      mimeType: mimeTypesOf(fileAssociations, protocols),
      icon: { '512x512': join(root, linux.icon) },
    },
  })
  return join(dest, file)
}

/** File types and schemes that the desktop entry claims. */
export const mimeTypesOf = (associations, protocols) => [
  ...associations.map(({ mimeType }) => mimeType),
  ...protocols.flatMap(({ schemes }) => schemes.map((scheme) => `x-scheme-handler/${scheme}`)),
]

/** A pre-release sorts before its release. */
export const debianVersion = (version) => version.replace('-', '~')
