#lang racket/base
;; Saves the samples of a sampler of Racket's `profile` collection, which Wakepath opens as stacks:
;;
;;   (require profile/sampler (file "/usr/share/wakepath/wakepath-samples.rkt"))
;;   (define sampler (create-sampler (current-thread) 0.001))
;;   (work)
;;   (sampler 'stop)
;;   (save-samples (sampler 'get-snapshots) "work.json")
;;
;; and then: wakepath-cli calls work.json
(require json)
(provide save-samples)

;; #f and what is no text or number: null
(define (or-null value)
  (cond [(path? value) (path->string value)]
        [(symbol? value) (format "~s" value)]
        [(or (string? value) (exact-integer? value)) value]
        [else (json-null)]))

;; A frame: (cons name srcloc), either of them #f
(define (function->json frame)
  (define name (car frame))
  (define at (cdr frame))
  (hasheq 'id (if (pair? name) (format "~s" name) (or-null name))
          'src (if at
                   (map or-null (list (srcloc-source at) (srcloc-line at) (srcloc-column at) (srcloc-position at)))
                   (json-null))))

(define (save-samples snapshots file)
  (define numbers (make-hasheq)) ; the sampler has one pair for each function
  (define functions '()) ; newest first
  (define (number-of frame)
    (hash-ref! numbers frame
               (lambda ()
                 (set! functions (cons (function->json frame) functions))
                 (hash-count numbers))))
  (define samples
    (for/list ([sample (in-list (reverse (cdr snapshots)))])
      (hasheq 'thread (car sample)
              'time (cadr sample)
              'stack (for/list ([frame (in-list (cddr sample))]) (number-of frame)))))
  (call-with-output-file file #:exists 'truncate
    (lambda (out)
      (write-json (hasheq 'cpu_time (car snapshots) 'functions (reverse functions) 'samples samples) out))))
