// Only in test:all: edits every field of 57 collections in two versions, which takes two minutes.
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Collection } from '#shared/facts/collection'
import { factsOf } from '#shared/facts/facts'
import { inCell, kindAt, type FieldKind } from '#shared/fields/kind'
import { closedAt } from '#shared/fields/open'
import { fieldAt, nameAt, valueAt } from '#shared/fields/path'
import { readField } from '#shared/fields/read'
import type { Json, JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import { systemClock } from '#shared/time/clock'
import type { Field } from '#shared/wire/table'
import { versionsOf } from '#shared/wire/services'
import { createClient } from '../../src-main/services/client'
import { tableCall } from '../../src-main/sync/pull'
import { placeParams } from '#shared/facts/ids'
import { gridColumns, usualColumns } from '../../src-renderer/views/campaigns/grid-columns'
import { kindsOf } from '#shared/facts/kinds'
import { titleOfKind } from '../../src-renderer/views/campaigns/kinds'
import { launchApp, type RunningApp } from '../helpers/app'
import { openSync, startDownload, untilDownloaded } from '../helpers/campaign-download'
import { clockFromMoment, zone } from '../helpers/moment'
import { TraffickingRecords } from '../helpers/records'
import { startService, type TestService } from '../helpers/service'
import { asking } from '../helpers/sign-in'
import { nothingPending } from '../helpers/page'

const clock = clockFromMoment()
/** Kinds that are typed as text everywhere. */
const typedKinds: ReadonlySet<FieldKind> = new Set([
  'text',
  'prose',
  'number',
  'money',
  'date',
  'moment',
  'size',
  'sizes',
  'texts',
])

/** Two valid texts for a field of this kind, so that one is new. */
function textsFor(kind: FieldKind, field: Field, count: number): [string, string] {
  const { min, max = 99_999, maxLength = 99, pattern } = kind === 'texts' ? field.of! : field
  const fitting = (text: string): string => {
    const cut = field.mustNotContain?.some((part) => text.includes(part)) ? text.replaceAll(/\W/g, '') : text
    return pattern === undefined || new RegExp(pattern).test(cut) ? cut.slice(-maxLength) : String(count)
  }
  const number = (by: number): string => String(Math.min(Math.max(min ?? 0, 7) + by, max))
  switch (kind) {
    case 'number':
      return [number(count % 9), number(-1)]
    case 'money':
      return [`${count}.25`, `${count}.5`]
    case 'date':
      return ['2026-09-21', '2026-09-22']
    case 'moment':
      return ['2026-09-21 10:30', '2026-09-22 11:45']
    case 'size':
      return ['728 × 90', '300 × 250']
    case 'sizes':
      return ['728 × 90 | 160 × 600', '300 × 250']
    case 'texts':
      return field.of?.type === 'integer'
        ? [`${number(1)}\n${number(2)}`, number(3)]
        : [`one${count}@b.example\ntwo@b.example`, 'three']
    default:
      return [fitting(`Edited here ${count}`), fitting(`Edited again ${count}`)]
  }
}

/** Texts of elements, without what's only for the eye. */
const namesOf = (elements: Element[]): string[] =>
  elements.map((element) => {
    const copy = element.cloneNode(true) as Element
    for (const hidden of copy.querySelectorAll('[aria-hidden]')) hidden.remove()
    return copy.textContent.trim()
  })

describe.each(versionsOf('trafficking'))(
  'every campaign collection and field, API version %s, in the window',
  (trafficking) => {
    const facts = factsOf({ trafficking })
    const kinds = kindsOf(facts)
    const counts = {
      collections: 0,
      records: 0,
      cells: {} as Record<string, number>,
      form: {} as Record<string, number>,
    }
    const empty: string[] = []
    const closed: string[] = []
    let service: TestService
    let app: RunningApp
    let page: Page
    let edits = 0

    beforeAll(async () => {
      service = await startService({ seed: 'demo', now: clock.now })
      await fillEmpty()
      app = await launchApp({ clock, service: service.sandbox, size: { width: 1600, height: 1000 } })
      const [account] = await asking(app.page, 'account/list', {})
      await asking(app.page, 'account/change', { accountId: account!.id, versions: { trafficking } })
      await app.close()
      app = await launchApp({
        userData: app.userData,
        clock,
        service: service.sandbox,
        size: { width: 1600, height: 1000 },
      })
      page = app.page
      page.setDefaultTimeout(15_000)
      await nothingPending(page)
      await openSync(page)
      await startDownload(page)
      await untilDownloaded(page, 200_000)
      await page.keyboard.press('Control+3')
      await page.getByRole('grid').first().waitFor()
    })
    afterAll(async () => {
      await app?.close()
      await service?.stop()
    })

    /** Creates a record in each collection without demo data, if possible. */
    async function fillEmpty(): Promise<void> {
      const { sandbox } = service
      const [baseUrl, token] = [() => sandbox.baseUrl, () => sandbox.token]
      const client = createClient({ baseUrl, token, versions: { trafficking }, fetch, now: clock.now })
      const records = new TraffickingRecords(client, sandbox.ids, clock.now)
      await records.findKnownIds()
      for (const collection of records.writable()) {
        if (!collection.insert || !collection.list || (await records.list(collection)).length > 0) continue
        const body = await records.newBody(collection)
        if (!body) continue
        const params = placeParams(collection, collection.insert, records.parentOf(collection), '', client.versions)
        await tableCall(client)(collection.insert, params, { body: body as never })
      }
    }

    const grid = (): Locator => page.getByRole('grid')
    const form = (): Locator => page.getByRole('complementary', { name: 'Record' }).locator('article')
    const place = (path: string): Locator => form().locator(`[data-path="${path}"]`)

    async function show(kind: Collection): Promise<boolean> {
      const box = page.getByRole('combobox', { name: 'Record type' })
      const title = titleOfKind(kind)
      if ((await box.inputValue()) !== title) {
        await box.click()
        await box.fill(title)
        await page.getByRole('option', { name: title, exact: true }).click()
      }
      const first = page.getByRole('grid', { name: title, exact: true }).locator('.body').getByRole('row').first()
      const none = page.getByRole('heading', { name: `No ${kind.words.many}` })
      await first.or(none).first().waitFor()
      return first.isVisible()
    }

    /** All pending edits of a collection on disk. */
    const drafts = (collection: string): Promise<OutboxEntry[]> =>
      page.evaluate(async (wanted) => {
        const open = indexedDB.open('flightplan-sandbox')
        const db = await new Promise<IDBDatabase>((done) => (open.onsuccess = () => done(open.result)))
        const request = db.transaction('outbox').objectStore('outbox').getAll()
        const all = await new Promise<OutboxEntry[]>(
          (done) => (request.onsuccess = () => done(request.result as OutboxEntry[])),
        )
        db.close()
        return all.filter((entry) => entry.collection === wanted)
      }, collection)
    /** The values of a path in a collection's drafts, latest last. */
    const drafted = async (kind: Collection, path: string): Promise<(Json | undefined)[]> =>
      (await drafts(kind.name)).map(({ patch, held }) => (held ? valueAt(patch as JsonObject, path) : undefined))
    async function holds(kind: Collection, path: string, wanted: (value: Json | undefined) => boolean): Promise<void> {
      const until = systemClock.elapsed() + 10_000
      let found: (Json | undefined)[] = []
      while (systemClock.elapsed() < until) {
        found = await drafted(kind, path)
        if (found.some(wanted)) return
        await page.waitForTimeout(15)
      }
      throw new Error(`the drafts have ${JSON.stringify(found)}`)
    }
    async function holdsNo(kind: Collection, path: string, unwanted: (value: Json) => boolean): Promise<void> {
      const left = async (): Promise<(Json | undefined)[]> =>
        (await drafted(kind, path)).filter((one) => one !== undefined && unwanted(one))
      await expect.poll(left, { timeout: 10_000, interval: 15 }).toEqual([])
    }
    const equals =
      (wanted: Json): ((value: Json | undefined) => boolean) =>
      (value) => {
        const plain = (one: Json | undefined): unknown =>
          Array.isArray(one)
            ? one.map(plain)
            : one && typeof one === 'object' && 'width' in one
              ? [one['width'], one['height']]
              : one
        return JSON.stringify(plain(value)) === JSON.stringify(plain(wanted))
      }
    /** Its times are typed in it, once the edits have set it. */
    let accountZone = zone
    const valueOf = (kind: Collection, path: string, text: string): Json => {
      const read = readField(kind.table, nameAt(path), fieldAt(kind, path)!, text, {
        today: Math.floor(clock.now() / 86_400_000) * 86_400_000,
        zone: accountZone,
        find: () => [],
      })
      if ('problem' in read) throw new Error(`${text}: ${read.problem}`)
      return read.value
    }

    /** Selects an unselected entry in a combobox. @returns the value that the draft must have then */
    async function pickAnother(
      kind: Collection,
      path: string,
    ): Promise<((value: Json | undefined) => boolean) | undefined> {
      const all = page.locator('[popover] [role=option]')
      await all.first().or(page.getByText('No matches')).first().waitFor()
      const options = page
        .locator('[popover] [role=option][aria-selected=false]:not([aria-disabled=true])')
        .filter({ hasNotText: /^\s*Not set\s*$/ })
      if ((await options.count()) === 0) return undefined
      const label = ((await options.first().locator('.label').textContent()) ?? '').trim()
      const aside = await options.first().locator('.aside').allTextContents()
      await options.first().click()
      if (path.endsWith('reportGenerationTimeZoneId')) accountZone = label
      const fieldKind = kindAt(kind, path)
      if (fieldKind === 'yesNo') return equals(label === 'Yes')
      if (fieldKind === 'choice') return equals(valueOf(kind, path, label))
      const id = aside[0]?.trim().replace(/^#/, '')
      const isIt = (one: Json | undefined): boolean =>
        fieldKind === 'row' || fieldKind === 'rows' ? JSON.stringify(one ?? null).includes(label) : one === id
      return fieldKind === 'references' || fieldKind === 'rows'
        ? (value) => Array.isArray(value) && value.some(isIt)
        : isIt
    }

    async function editCell(kind: Collection, path: string, index: number): Promise<boolean> {
      const fieldKind = kindAt(kind, path)!
      const field = fieldAt(kind, path)!
      await grid().focus()
      await page.keyboard.press('Control+Home')
      for (let at = 0; at < index; at++) await page.keyboard.press('ArrowRight')
      await page.keyboard.press('F2')
      const editor = grid().locator('.editor input')
      await editor.waitFor({ timeout: 5_000 })
      if (typedKinds.has(fieldKind)) {
        const before = await editor.inputValue()
        const text = textsFor(fieldKind, field, ++edits).find((one) => one !== before)!
        await editor.fill(text)
        await page.keyboard.press('Enter')
        await holds(kind, path, equals(valueOf(kind, path, text)))
      } else {
        const wanted = await pickAnother(kind, path)
        if (!wanted) {
          await page.keyboard.press('Escape')
          return false
        }
        await holds(kind, path, wanted)
      }
      await editor.waitFor({ state: 'detached' })
      return true
    }

    /** Edits one field of the open form. @returns false if there's nothing to select */
    async function editField(kind: Collection, path: string): Promise<boolean> {
      const fieldKind = kindAt(kind, path)!
      const field = fieldAt(kind, path)!
      const at = place(path)
      const box = at.locator('input, textarea').first()
      if (typedKinds.has(fieldKind)) {
        const before = await box.inputValue()
        const text = textsFor(fieldKind, field, ++edits).find((one) => one !== before && one.split('\n')[0] !== before)!
        await box.fill(text)
        await box.blur()
        await holds(kind, path, equals(valueOf(kind, path, text)))
      } else if (fieldKind === 'choices') {
        const tick = at.getByRole('checkbox', { checked: false }).first()
        const label =
          (await tick.getAttribute('aria-label')) ??
          (await tick.evaluate((one) => one.closest('label')?.textContent ?? ''))
        const before = (await drafted(kind, path)).at(-1)
        await tick.click()
        const value = valueOf(kind, path, label.trim()) as Json[]
        await holds(
          kind,
          path,
          (list) => Array.isArray(list) && list.includes(value[0]!) && JSON.stringify(list) !== JSON.stringify(before),
        )
      } else if (fieldKind === 'part' || fieldKind === 'parts') {
        throw new Error('parts are edited by their fields')
      } else {
        await at.getByRole('combobox').click()
        const wanted = await pickAnother(kind, path)
        if (!wanted) {
          await page.keyboard.press('Escape')
          return false
        }
        await holds(kind, path, wanted)
      }
      return true
    }

    const count = (table: Record<string, number>, kind: FieldKind): number => (table[kind] = (table[kind] ?? 0) + 1)
    const pathsBelow = (at: Locator): Promise<string[]> =>
      at.locator('[data-path]').evaluateAll((all) => all.map((one) => one.getAttribute('data-path')!))

    async function unfold(): Promise<void> {
      for (const button of await form()
        .getByRole('button', { name: /^\d+ more fields?$/ })
        .all())
        await button.click()
    }

    /** A form field and its nested fields: each kind of an object once, and a new entry of a list, which is removed again. */
    async function editWhole(kind: Collection, path: string, problems: string[]): Promise<void> {
      const fieldKind = kindAt(kind, path)!
      const attempt = async (work: () => Promise<boolean>): Promise<void> => {
        try {
          if (await work()) count(counts.form, fieldKind)
          else empty.push(`${kind.name}.${path}`)
        } catch (error) {
          problems.push(`${kind.name}.${path} (${fieldKind}): ${(error as Error).message.split('\n')[0]}`)
          await page.keyboard.press('Escape')
        }
      }
      if ((await place(path).count()) === 0) {
        closed.push(`${kind.name}.${path}`)
        return
      }
      if (fieldKind === 'part') {
        const inner = (await pathsBelow(place(path))).filter((one) => !one.slice(path.length + 1).includes('.'))
        const seen = new Set<FieldKind>()
        for (const one of inner) {
          const innerKind = kindAt(kind, one)!
          if (seen.has(innerKind)) continue
          seen.add(innerKind)
          await editWhole(kind, one, problems)
        }
        await attempt(() => Promise.resolve(inner.length > 0))
        return
      }
      if (fieldKind !== 'parts') return attempt(() => editField(kind, path))
      await attempt(async () => {
        const entries = place(path).locator('> .item')
        const before = await entries.count()
        if (!(await addEntry(kind, path))) return false
        await entries.nth(before).waitFor()
        await entries
          .nth(before)
          .getByRole('button', { name: /^Remove / })
          .last()
          .click()
        const [root, ...rest] = `${path}.${before}`.split('.') as [string, ...string[]]
        await holdsNo(kind, root, (value) => value !== null && valueAt(value, rest.join('.')) !== undefined)
        await entries.nth(before).waitFor({ state: 'detached' })
        return true
      })
    }

    /** Adds a list entry with its first simple field. @returns false if there's nothing to select */
    async function addEntry(kind: Collection, path: string): Promise<boolean> {
      const at = await place(path).locator('> .item').count()
      await place(path).locator('> div').getByRole('button', { name: 'Add', exact: true }).last().click()
      const fresh = (await pathsBelow(place(path))).filter((one) => one.startsWith(`${path}.${at}.`))
      const plain = fresh.find((one) => !['part', 'parts', 'row'].includes(kindAt(kind, one)!))
      return plain === undefined ? addEntry(kind, fresh[0]!) : editField(kind, plain)
    }

    it('appears in the grid and form, and your input reaches the draft', { timeout: 400_000 }, async () => {
      const problems: string[] = []
      for (const kind of kinds) {
        counts.collections += 1
        if (!(await show(kind))) {
          empty.push(kind.name)
          continue
        }
        counts.records += 1
        const began = systemClock.elapsed()
        const inCells = new Set<string>()
        const columns = gridColumns(kind, { shown: usualColumns(kind, undefined) })
        await expect
          .poll(() => grid().getByRole('columnheader').evaluateAll(namesOf))
          .toEqual(['State', ...columns.map(({ head }) => head)])
        for (const [index, { path, kind: own, typed }] of columns.entries()) {
          const { creativeTypes, notCreativeTypes, appliesWhen } = fieldAt(kind, path) ?? {}
          if (own === 'computed' || !typed || creativeTypes || notCreativeTypes || appliesWhen) continue
          if (closedAt(kind, path, {}, true)) continue
          if ([...inCells].some((other) => kindAt(kind, other) === own)) continue
          inCells.add(path)
          try {
            if (await editCell(kind, path, index)) count(counts.cells, own)
            else empty.push(`${kind.name}.${path}`)
          } catch (error) {
            problems.push(`cell ${kind.name}.${path} (${own}): ${(error as Error).message.split('\n')[0]}`)
            await page.keyboard.press('Escape')
          }
        }
        await grid().focus()
        await page.keyboard.press('Control+Home')
        await page.keyboard.press('Space')
        await form().waitFor()
        await unfold()
        const paths = await pathsBelow(form())
        const outer = paths.filter((path) => !paths.some((other) => path.startsWith(`${other}.`)))
        for (const path of outer) if (!inCells.has(path)) await editWhole(kind, path, problems)
        await grid().focus()
        await page.keyboard.press('Escape')
        await form().waitFor({ state: 'detached' })
        console.log(
          `${kind.name}: ${Math.round(systemClock.elapsed() - began)} ms, ${inCells.size} in cells, ${outer.length} in the form`,
        )
      }
      console.log(trafficking, JSON.stringify(counts))
      console.log('nothing to choose from, or no record:', empty.join(', '))
      console.log('closed by an edit before:', closed.join(', '))
      expect(problems).toEqual([])
      expect(inCell.size).toBeGreaterThan(0)
    })
  },
)
