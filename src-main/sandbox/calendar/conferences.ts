import type { ConferenceData } from '#shared/wire/calendar/types'
import { sameJson } from '#shared/json'
import { invalid, required } from '../problems'
import type { Service } from '../operation'
import type { OpenCalendar } from './access'
import { findEvent, type EventDoc } from './event-row'
import { saveEvent } from './invitations'

const delayMs = 400

/** Conferences requested by `createRequest` are created a moment later: pending, then success or failure. */
export class Conferences {
  readonly #service: () => Service
  #timer: NodeJS.Timeout | undefined
  #next = Infinity

  constructor(service: () => Service) {
    this.#service = service
  }

  /** Resumes requests that an earlier run left pending. */
  resume(): void {
    const due = this.#service().store.get<{ due: number | null }>('SELECT min(due) AS due FROM conferences')?.due
    this.#next = due ?? Infinity
    if (due !== null && due !== undefined) this.#wake()
  }

  /**
   * Starts a new request in `doc`. Ignores one with the ID of the previous request.
   * @throws Problem 400 for a type that the calendar doesn't allow
   */
  begin(calendar: OpenCalendar, id: string, doc: EventDoc, before: ConferenceData | undefined): void {
    const request = doc.conferenceData?.createRequest
    if (!request || sameJson(doc.conferenceData, before)) return
    if (!request.requestId) throw required('conferenceData.createRequest.requestId')
    if (before?.createRequest?.requestId === request.requestId) {
      doc.conferenceData = before
      return
    }
    if (doc.conferenceData?.entryPoints?.length && doc.conferenceData.conferenceSolution) return
    const allowed: readonly string[] = calendar.data.conferenceProperties?.allowedConferenceSolutionTypes ?? [
      'videoMeet',
    ]
    const type = request.conferenceSolutionKey?.type ?? 'videoMeet'
    if (!allowed.includes(type)) {
      throw invalid('Invalid conference type value.', 'conferenceData.createRequest.conferenceSolutionKey.type')
    }
    const { requestId } = request
    doc.conferenceData = {
      createRequest: { requestId, conferenceSolutionKey: { type }, status: { statusCode: 'pending' } },
    }
    delete doc.videoLink
    const { store } = this.#service()
    const due = store.now + delayMs
    store.put('conferences', { calendar: calendar.id, id, due })
    store.afterCommit(() => {
      this.#next = Math.min(this.#next, due)
      this.#wake()
    })
  }

  /** Completes all requests that are due. */
  settleDue(): void {
    const service = this.#service()
    const { store } = service
    if (store.now < this.#next) return
    store.transaction(() => {
      const jobs = store.all<{ calendar: string; id: string }>(
        'SELECT calendar, id FROM conferences WHERE due <= ?',
        store.now,
      )
      for (const job of jobs) {
        store.run('DELETE FROM conferences WHERE calendar = ? AND id = ?', job.calendar, job.id)
        this.#settle(service, job.calendar, job.id)
      }
    })
    this.#next = Infinity
    this.resume()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #wake(): void {
    clearTimeout(this.#timer)
    const wait = Math.max(0, this.#next - this.#service().store.now)
    this.#timer = setTimeout(() => this.settleDue(), Math.min(wait, 60_000) + 1)
    this.#timer.unref()
  }

  #settle(service: Service, calendar: string, id: string): void {
    const found = findEvent(service.store, calendar, id)
    const request = found?.doc.conferenceData?.createRequest
    if (!found || found.cancelled || !request || request.status?.statusCode !== 'pending') return
    const doc: EventDoc = { ...found.doc }
    if (request.requestId?.startsWith('fail-')) {
      doc.conferenceData = { createRequest: { ...request, status: { statusCode: 'failure' } } }
    } else {
      const conferenceId = meetingCode(service.random)
      const uri = `https://meet.flightplan.example/${conferenceId}`
      doc.conferenceData = {
        createRequest: { ...request, status: { statusCode: 'success' } },
        entryPoints: [
          { entryPointType: 'video', uri, label: uri.slice('https://'.length) },
          {
            entryPointType: 'phone',
            uri: 'tel:+49-30-5550-0100',
            label: '+49 30 5550 0100',
            pin: String(100_000_000 + Math.floor(service.random() * 900_000_000)),
          },
        ],
        conferenceSolution: {
          key: { type: request.conferenceSolutionKey?.type },
          name: 'Flightplan Meet',
          iconUri: 'https://meet.flightplan.example/icon.png',
        },
        conferenceId,
        signature: Buffer.from(`${conferenceId}:${id}`).toString('base64'),
      }
      doc.videoLink = uri
    }
    saveEvent(service, calendar, found, doc)
  }
}

export function meetingCode(random: () => number): string {
  const letters = (count: number): string =>
    Array.from({ length: count }, () => 'abcdefghijkmnopqrstuvwxyz'[Math.floor(random() * 25)]).join('')
  return `${letters(3)}-${letters(4)}-${letters(3)}`
}
